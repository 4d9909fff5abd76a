//! The pages of the book and those beside it: every link between them leads somewhere, and every decision is listed.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use camino::{Utf8Path, Utf8PathBuf};
use pulldown_cmark::{Event, Parser, Tag};

fn root() -> &'static Utf8Path {
    Utf8Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn pages_under(folder: &Utf8Path, found: &mut Vec<Utf8PathBuf>) {
    for entry in folder.read_dir_utf8().unwrap().map(Result::unwrap) {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() && !["node_modules", "target"].contains(&entry.file_name()) {
            pages_under(entry.path(), found);
        } else if entry.path().extension() == Some("md") {
            found.push(entry.into_path());
        }
    }
}

/// Every page, path from the root.
fn pages() -> Vec<Utf8PathBuf> {
    let mut found = Vec::new();
    for page in ["README.md", "CONTRIBUTING.md"] {
        found.push(root().join(page));
    }
    for folder in ["docs", "docker", "ci", "crates"] {
        pages_under(&root().join(folder), &mut found);
    }
    found
}

/// Where the links of a page lead, those to the web left out.
fn targets(page: &Utf8Path) -> Vec<Utf8PathBuf> {
    let text = fs_err::read_to_string(page).unwrap();
    let links = Parser::new(&text).filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    });
    let local = links.filter(|link| !link.contains("://") && !link.starts_with('#'));
    local
        .map(|link| page.parent().unwrap().join(link.split('#').next().unwrap()))
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut followed = 0;
    let mut dead = Vec::new();
    for page in pages() {
        let targets = targets(&page);
        followed += targets.len();
        let lost = targets.into_iter().filter(|target| !target.exists());
        dead.extend(lost.map(|target| format!("{page}: {target}")));
    }
    assert!(followed > 0, "no link was found");
    assert!(dead.is_empty(), "dead links:\n  {}", dead.join("\n  "));
}

#[test]
fn the_book_lists_every_decision_and_every_page() {
    let book = root().join("docs");
    let listed: Vec<_> = (targets(&book.join("README.md")).iter())
        .map(|target| target.canonicalize_utf8().unwrap())
        .collect();
    let mut written = Vec::new();
    pages_under(&book, &mut written);
    written.retain(|page| *page != book.join("README.md"));
    assert!(!written.is_empty(), "no page was found");
    written.retain(|page| !listed.contains(&page.canonicalize_utf8().unwrap()));
    assert!(written.is_empty(), "not in `docs/README.md`: {written:?}");
}
