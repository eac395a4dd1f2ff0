//! The time for which an isolate uses a chart without checking its version.

use fhir::Micros;

/// The longest window, in seconds. A revoked grant goes unnoticed for no longer either.
const MAX_LENGTH: i64 = 5;
const SECOND: Micros = 1_000_000;

/// The time after a check, counted from the request to the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreshnessWindow(Micros);

impl Default for FreshnessWindow {
    fn default() -> Self {
        Self(SECOND)
    }
}

impl FreshnessWindow {
    /// An empty window, so that each search checks.
    pub const NONE: Self = Self(0);

    /// Returns the window in the configuration: seconds from 0 to 5.
    ///
    /// # Errors
    /// The reason why the text is not a window.
    pub fn parse(text: &str) -> Result<Self, String> {
        let seconds = text.parse().ok().filter(|seconds| (0..=MAX_LENGTH).contains(seconds));
        seconds.map(|seconds| Self(seconds * SECOND)).ok_or_else(|| format!("{text:?} is not from 0 to {MAX_LENGTH}"))
    }

    /// Returns whether a check at `checked` is still valid at `now`. It is not if the clock was set back since then.
    #[must_use]
    pub fn has(self, checked: Micros, now: Micros) -> bool {
        (0..self.0).contains(&now.saturating_sub(checked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_counts_until_the_window_ends() {
        let has = |window: FreshnessWindow| [-1, 0, 999_999, SECOND, 5 * SECOND].map(|later| window.has(7, 7 + later));
        assert_eq!(has(FreshnessWindow::default()), [false, true, true, false, false]);
        assert_eq!(has(FreshnessWindow::NONE), [false; 5]);
        assert_eq!(FreshnessWindow::parse("5").map(has), Ok([false, true, true, true, false]));
    }

    #[test]
    fn a_window_is_seconds_from_zero_to_five() {
        assert_eq!(
            (FreshnessWindow::parse("0"), FreshnessWindow::parse("1")),
            (Ok(FreshnessWindow::NONE), Ok(FreshnessWindow::default()))
        );
        for text in ["", "6", "-1", "0.5", "1s", " 1", "99999999999999999999"] {
            assert!(FreshnessWindow::parse(text).is_err(), "{text}");
        }
    }
}
