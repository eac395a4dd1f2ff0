//! The texts that are loaded as a whole: that of a file, and that of a part of a divided file.

use std::fmt::Display;

use crate::load_documents::Entries;
use crate::text::{LineLocation, TextDocuments};
use crate::writer::WriteError;
use crate::{Intake, Parsed, entries, take};

/// A text that is loaded as a whole.
pub enum Text {
    /// A file.
    File(String),
    /// The lines of a part.
    Part(String),
}

impl Text {
    /// Returns each resource and each fault of the text, with its location.
    pub fn entries(&self) -> Entries<'_> {
        match self {
            Self::File(text) => {
                let entries = TextDocuments::of(text, Intake::Store).into_entries();
                Box::new(entries.map(|(location, entry)| {
                    let location: Box<dyn Display + '_> = Box::new(location);
                    Ok((location, entry))
                }))
            }
            Self::Part(text) => entries_of_part(text),
        }
    }
}

/// Returns a line of a part: the line number in the file, the path of the entry, and a document with only this entry,
/// separated by tabs.
pub fn line_of_part(at: &LineLocation, parsed: &Parsed<'_>) -> String {
    format!("{}\t{}\t{}\n", at.line, at.path, parsed.to_line())
}

/// Splits a line of a part into the line number in the file, the path of the entry, and the document.
pub fn fields(line: &str) -> Option<(usize, &str, &str)> {
    let mut fields = line.splitn(3, '\t');
    let Ok(line) = fields.next()?.parse() else { return None };
    Some((line, fields.next()?, fields.next()?))
}

/// Returns each resource in the text of a part, with its location in the file.
pub fn entries_of_part(text: &str) -> Entries<'_> {
    Box::new(text.lines().flat_map(|line| {
        let Some((line, path, document)) = fields(line) else {
            return vec![Err(WriteError::new("a line of a part is damaged"))];
        };
        let entries = entries(document, Intake::Store).into_iter().map(take).map(|(_, _, entry)| {
            let at: Box<dyn Display + '_> = Box::new(LineLocation { line, path: path.to_owned() });
            Ok((at, entry))
        });
        entries.collect()
    }))
}
