//! The searchset Bundle that answers a search (<https://hl7.org/fhir/R4/bundle.html>), written around the stored texts
//! of its resources. Stored texts are not parsed here. They may be strings, slices of a shelf, or handles to strings
//! outside of wasm.

use super::ResourceType;
use super::json::write_text;

/// A piece of an answer's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyPiece<B> {
    /// Text that was made for this answer.
    Text(String),
    /// The comma between two entries. This variant avoids a text for each entry.
    Comma,
    /// The text of a stored resource, passed on without parsing.
    Stored(B),
}

/// The text around a stored resource in a Bundle entry: `open`, the id, `middle`, the resource, `close`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The text up to and including the type in `fullUrl`.
    pub open: String,
    /// The text between the id and the resource.
    pub middle: &'static str,
    /// The text between the resource and the end of the entry.
    pub close: &'static str,
}

impl Frame {
    /// Returns the frame of a match of this type, for this FHIR base.
    pub fn matched(base: &str, resource_type: ResourceType) -> Self {
        Self { open: open(base, resource_type), middle: MIDDLE, close: ",\"search\":{\"mode\":\"match\"}}" }
    }

    /// Returns the frame of an included resource of this type, for this FHIR base.
    pub fn included(base: &str, resource_type: ResourceType) -> Self {
        Self { open: open(base, resource_type), middle: MIDDLE, close: ",\"search\":{\"mode\":\"include\"}}" }
    }

    /// Returns the whole entry of a resource.
    pub fn around(&self, id: &str, resource: &str) -> String {
        [&self.open, id, self.middle, resource, self.close].concat()
    }
}

const MIDDLE: &str = "\",\"resource\":";

fn open(base: &str, resource_type: ResourceType) -> String {
    ["{\"fullUrl\":\"", base, "/", resource_type.name(), "/"].concat()
}

/// A searchset: the entries and the other elements of the Bundle.
#[derive(Debug)]
pub struct Searchset<B> {
    /// `Bundle.id`.
    pub id: String,
    /// `Bundle.meta.lastUpdated`: the time at which the Bundle was made.
    pub made: String,
    /// `Bundle.total`: the number of matches on all pages, if known.
    pub total: Option<u64>,
    /// The link `self`: the address of the search as understood.
    pub this: String,
    /// The link `next`: the address of the next page, if there is one.
    pub next: Option<String>,
    /// The entries: matches first, then included resources.
    pub entries: Vec<BodyPiece<B>>,
    /// An OperationOutcome about what was left out, if anything.
    pub outcome: Option<String>,
}

impl<B> Searchset<B> {
    /// Returns the text of the Bundle, in pieces.
    pub fn into_pieces(self) -> Vec<BodyPiece<B>> {
        let mut pieces = Vec::with_capacity(self.entries.len() * 2 + 2);
        let mut text = String::with_capacity(512);
        text.push_str("{\"resourceType\":\"Bundle\",\"id\":");
        write_text(&self.id, &mut text);
        text.push_str(",\"meta\":{\"lastUpdated\":");
        write_text(&self.made, &mut text);
        text.push_str("},\"type\":\"searchset\"");
        if let Some(total) = self.total {
            text.push_str(",\"total\":");
            text.push_str(&total.to_string());
        }
        text.push_str(",\"link\":[{\"relation\":\"self\",\"url\":");
        write_text(&self.this, &mut text);
        if let Some(next) = &self.next {
            text.push_str("},{\"relation\":\"next\",\"url\":");
            write_text(next, &mut text);
        }
        text.push_str("}]");
        let mut entries = self.entries;
        if let Some(outcome) = self.outcome {
            let entry = ["{\"resource\":", &outcome, ",\"search\":{\"mode\":\"outcome\"}}"].concat();
            entries.push(BodyPiece::Text(entry));
        }
        for entry in entries {
            if pieces.is_empty() {
                text.push_str(",\"entry\":[");
                pieces.push(BodyPiece::Text(std::mem::take(&mut text)));
            } else {
                pieces.push(BodyPiece::Comma);
            }
            pieces.push(entry);
        }
        text.push_str(if pieces.is_empty() { "}" } else { "]}" });
        pieces.push(BodyPiece::Text(text));
        pieces
    }
}

/// Joins the pieces into one text.
pub fn splice<B: Into<String>>(pieces: Vec<BodyPiece<B>>) -> String {
    let mut all = String::new();
    for piece in pieces {
        match piece {
            BodyPiece::Text(text) => all.push_str(&text),
            BodyPiece::Comma => all.push(','),
            BodyPiece::Stored(body) => all.push_str(&body.into()),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searchset(entries: Vec<String>, outcome: Option<String>) -> String {
        let this = "http://x/Patient?name=\"a\"".to_owned();
        let entries = entries.into_iter().map(BodyPiece::<String>::Text).collect();
        let set = Searchset {
            id: "b".into(),
            made: "2026-01-01T00:00:00Z".into(),
            total: Some(1),
            this,
            next: None,
            entries,
            outcome,
        };
        splice(set.into_pieces())
    }

    #[test]
    fn an_empty_answer_has_no_entry_array() {
        assert_eq!(
            searchset(vec![], None),
            r#"{"resourceType":"Bundle","id":"b","meta":{"lastUpdated":"2026-01-01T00:00:00Z"},"type":"searchset","total":1,"link":[{"relation":"self","url":"http://x/Patient?name=\"a\""}]}"#
        );
    }

    #[test]
    fn stored_text_is_passed_on_unchanged_in_its_frame() {
        let frame = Frame::matched("http://x", ResourceType::Patient);
        let bundle = searchset(vec![frame.around("a", r#"{"n":1.0}"#)], Some("{}".into()));
        assert!(
            bundle.ends_with(
                r#","entry":[{"fullUrl":"http://x/Patient/a","resource":{"n":1.0},"search":{"mode":"match"}},{"resource":{},"search":{"mode":"outcome"}}]}"#
            ),
            "{bundle}"
        );
    }
}
