//! Text that others wrote, made safe for where it is printed: a terminal line, a Markdown page.

/// Without control characters, which a terminal would obey; runs of white space become one space.
pub fn clean(text: &str) -> String {
    let visible: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The lines of `text`, each clean, without those that are empty.
pub fn lines(text: &str) -> impl Iterator<Item = String> + '_ {
    text.lines().map(clean).filter(|line| !line.is_empty())
}

/// A Markdown code span for one line, inside a table cell too.
///
/// A span shows its content as it is, so that neither mark-up nor a mention in a driver's words takes effect.
pub fn code(text: &str) -> String {
    let text = clean(text).replace('|', "\\|");
    if text.is_empty() {
        return String::new();
    }
    let fence = "`".repeat(longest_run(&text, '`') + 1);
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{space}{text}{space}{fence}")
}

/// A Markdown code block of several lines.
pub fn block(text: &str) -> String {
    let fence = "`".repeat((longest_run(text, '`') + 1).max(3));
    format!("{fence}text\n{}\n{fence}\n", text.trim_end())
}

/// For use between HTML tags.
pub fn html(text: &str) -> String {
    clean(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn longest_run(text: &str, wanted: char) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == wanted { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// `text` in quotes where a shell would not take it as one word.
pub fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./,:=+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_driver_cannot_command_the_terminal() {
        assert_eq!(clean("a\u{1b}[2Jb\r\n\tc  d\u{7}"), "a [2Jb c d");
        assert_eq!(
            lines("one\n\n two\u{8} \nhint: three").collect::<Vec<_>>(),
            ["one", "two", "hint: three"]
        );
    }

    #[test]
    fn code_holds_backticks_and_bars() {
        assert_eq!(code("llvmpipe (LLVM 15)"), "`llvmpipe (LLVM 15)`");
        assert_eq!(code("a`b|c\nd"), "``a`b\\|c d``");
        assert_eq!(code("`x`"), "`` `x` ``");
        assert_eq!(code(" \n"), "");
        assert_eq!(block("a\n```\nb\n"), "````text\na\n```\nb\n````\n");
        assert_eq!(html("<b>&\n"), "&lt;b&gt;&amp;");
    }

    #[test]
    fn a_path_with_spaces_is_one_word() {
        assert_eq!(shell_word("clips/ref.y4m"), "clips/ref.y4m");
        assert_eq!(shell_word("it's here.y4m"), r"'it'\''s here.y4m'");
        assert_eq!(shell_word(""), "''");
    }

    proptest! {
        #[test]
        fn a_code_span_is_one_table_cell(text: String) {
            let span = code(&text);
            let bare_bar = span.replace("\\|", "").contains('|');
            prop_assert!(!bare_bar && !span.contains('\n'));
        }
    }
}
