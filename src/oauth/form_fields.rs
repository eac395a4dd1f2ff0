//! The fields of a form, by their names.

/// The fields of a form, or the parameters of a request.
#[derive(Debug, Clone, Copy)]
pub struct FormFields<'a>(pub &'a [(String, String)]);

impl<'a> FormFields<'a> {
    /// Returns the value of a field. An empty value counts as absent.
    pub fn get(self, name: &str) -> Option<&'a str> {
        self.all(name).next().filter(|value| !value.is_empty())
    }

    pub(super) fn all(self, name: &str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(of, _)| of == name).map(|(_, value)| value.as_str())
    }

    /// Returns whether this field occurs twice.
    pub(super) fn is_twice(self, name: &str) -> bool {
        self.all(name).nth(1).is_some()
    }

    /// Returns whether a field occurs twice.
    pub(super) fn has_twice(self) -> bool {
        let mut names: Vec<_> = self.0.iter().map(|(name, _)| name).collect();
        names.sort();
        names.windows(2).any(|pair| pair.first() == pair.last())
    }
}
