//! What the process says to its caller: the one table of exit codes.

/// All is well.
pub const OK: u8 = 0;
/// Something differs.
pub const DIFFERENT: u8 = 1;
/// Something could not be judged.
pub const UNTRUSTED: u8 = 2;
/// Generated files or records are stale.
pub const STALE: u8 = 3;
/// The command line is wrong.
pub const USAGE: u8 = 64;

/// Every exit code: the number, its name, and when it is returned.
///
/// Where several apply to a run, 2 goes before 1: a caller that reads 1 may rely on every other cell having been compared.
pub const EXIT_CODES: &[(u8, &str, &str)] = &[
    (
        OK,
        "ok",
        "every expected cell was compared and agrees, or shows a declared deviation or a declared reason not to run",
    ),
    (
        DIFFERENT,
        "different",
        "at least one cell is FAIL (outside its tolerance) or XPASS (a declared deviation is gone); every other cell was judged",
    ),
    (
        UNTRUSTED,
        "untrusted",
        "at least one cell is ERROR, a control did not turn red, nothing was compared, a file under `ci/` is wrong, reports to be merged are not those of one run, or the run was interrupted",
    ),
    (
        STALE,
        "stale",
        "nothing is wrong but generated files or records do not match what they are made from",
    ),
    (
        USAGE,
        "usage",
        "the command line, or a clip or report that it names, cannot be used; nothing was run",
    ),
];
