//! The report as one HTML file for a browser: verdict, lanes, a matrix of kernels and formats for each lane, and all that is
//! red. The file asks for nothing from elsewhere: no script, no font, no image.

mod model;

use isobit_gate::report::Report;
use minijinja::{Environment, Error, UndefinedBehavior};

use model::Page;

/// The template's name tells minijinja to escape what it is given.
const NAME: &str = "page.html";
const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

/// The report as a page.
///
/// # Errors
/// If the template names something that the model does not have.
pub fn render(report: &Report, exit_code: u8) -> Result<String, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    environment.add_template(NAME, TEMPLATE)?;
    environment
        .get_template(NAME)?
        .render(Page::new(report, exit_code, STYLE))
}
