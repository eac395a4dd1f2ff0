//! The dependencies of a server, each of which can fail by itself.

use std::borrow::Cow;

/// A dependency of the server, such as a database, and whether it answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// The name, which operators see. It says nothing about the machinery.
    pub name: Cow<'static, str>,
    /// The reason why the dependency cannot be used, for the log. `None` if it answers.
    pub fault: Option<String>,
}

impl Dependency {
    /// The dependency of that name, by the result of a check.
    #[must_use]
    pub fn of(name: impl Into<Cow<'static, str>>, checked: Result<(), String>) -> Self {
        Self { name: name.into(), fault: checked.err() }
    }
}
