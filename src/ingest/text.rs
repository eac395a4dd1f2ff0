//! The documents of a text that is entirely in memory.

use std::fmt::Display;
use std::str::Utf8Error;

use serde_json::value::RawValue;

use super::document::{Intake, Parsed, Rejection, entries, entry_path, line_of, take};
use super::load::Take;

/// The documents of a text. The text is one document, or has a document on each line.
#[derive(Debug, Clone)]
pub struct TextDocuments<'a> {
    /// The documents, each with the number of its first line, counted from 0.
    documents: Vec<(usize, &'a str)>,
    intake: Intake,
}

impl<'a> TextDocuments<'a> {
    /// Returns the documents of a text.
    pub fn of(text: &'a str, intake: Intake) -> Self {
        let text = without_mark(text);
        // In a text without LF, a lone CR ends a line.
        let end = if text.contains('\n') { '\n' } else { '\r' };
        let lines = || text.split(end).map(without_mark).enumerate().filter(|(_, line)| !line.trim().is_empty());
        // The first line may be faulty, and a document of several lines may have a line that is JSON by itself.
        let by_line = lines().next().is_some_and(|(_, first)| is_json(first))
            || !is_json(text) && lines().any(|(_, line)| line.trim_start().starts_with('{') && is_json(line));
        Self { documents: if by_line { lines().collect() } else { vec![(0, text)] }, intake }
    }

    /// Returns the documents, each with the number of its first line, counted from 0.
    pub fn documents(&self) -> impl Iterator<Item = (usize, &'a str)> {
        self.documents.iter().copied()
    }

    /// Returns each resource and each fault of the documents, with its location. A location has the form
    /// `line 3, Bundle.entry[1]`.
    pub fn into_entries(self) -> impl Iterator<Item = (TextLocation<'a>, Result<Parsed<'a>, Rejection>)> {
        let Self { documents, intake } = self;
        documents.into_iter().flat_map(move |(first, text)| {
            entries(text, intake)
                .into_iter()
                .map(take)
                .map(move |(at, path, entry)| (TextLocation { text, first, at, path }, entry))
        })
    }

    /// Calls `take` with each resource and each fault of the documents ([`Self::into_entries`]).
    ///
    /// # Errors
    /// The errors of `take`.
    pub fn for_each<E>(&self, take: &mut Take<'_, E>) -> Result<(), E> {
        self.clone().into_entries().try_for_each(|(location, entry)| take(&location, entry))
    }
}

/// Returns a line without a leading byte order mark, which lines of concatenated files may have.
pub fn without_mark(line: &str) -> &str {
    line.strip_prefix('\u{feff}').unwrap_or(line)
}

/// Returns a description of the fault of bytes that are not UTF-8.
pub fn not_utf8(bytes: &[u8], error: &Utf8Error) -> String {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "it is UTF-16, and JSON of FHIR is UTF-8".to_owned(),
        _ => format!("it is not UTF-8: {error}"),
    }
}

/// Returns whether a line is a JSON document.
pub fn is_json(line: &str) -> bool {
    serde_json::from_str::<&RawValue>(line).is_ok()
}

/// The location of a resource in a text. The line is only counted when the location is displayed.
#[derive(Debug)]
pub struct TextLocation<'a> {
    text: &'a str,
    /// The line on which the document begins.
    first: usize,
    at: usize,
    /// The index in each enclosing Bundle, outermost first.
    path: Vec<usize>,
}

impl Display for TextLocation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        LineLocation { line: self.first + line_of(self.text, self.at), path: entry_path(&self.path) }.fmt(f)
    }
}

/// The location of a resource in a text, with a known line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineLocation {
    /// The line, counted from 0.
    pub line: usize,
    /// See [`entry_path`].
    pub path: String,
}

impl Display for LineLocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}{}{}", self.line + 1, if self.path.is_empty() { "" } else { ", " }, self.path)
    }
}
