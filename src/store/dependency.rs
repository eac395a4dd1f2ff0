//! The dependencies of a server, each of which can fail independently.

use std::borrow::Cow;

/// A dependency of the server, such as a database, with its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// The name for operators. It does not disclose the infrastructure.
    pub name: Cow<'static, str>,
    /// The reason why the dependency cannot be used, for the log. `None` if it can.
    pub fault: Option<String>,
}

impl Dependency {
    /// Returns the dependency with that name, according to the result of a check.
    pub fn of(name: impl Into<Cow<'static, str>>, checked: Result<(), String>) -> Self {
        Self { name: name.into(), fault: checked.err() }
    }
}
