//! Whom something was about, for the audit log.

/// Who, and whose records. Nothing that could be used is in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// The app.
    pub client: Option<String>,
    /// The user.
    pub user: Option<String>,
    /// The patient in context.
    pub patient: Option<String>,
}

/// Something that a person did, for the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    /// What.
    pub event: &'static str,
    /// Whom it was about.
    pub about: About,
    /// Why it did not succeed.
    pub error: Option<&'static str>,
}

impl Noted {
    /// Something that succeeded.
    #[must_use]
    pub const fn done(event: &'static str, about: About) -> Self {
        Self { event, about, error: None }
    }
}
