//! The entity tags of answers that find resources, and 304 (RFC 9110, section 13.1.2): those of searches, and of
//! operations that are searches. The versions of the records confirm a tag without a search, or else the entries that
//! are found do ([why](../../../docs/decisions/search.md#tags-of-searches)).

use std::hash::Hasher;
use std::ops::ControlFlow;

use super::answer::Answer;
use super::request::RecordRequest;
use crate::audit::Disclosure;
use crate::http::negotiate::with_preference;
use crate::http::problem::Problem;
use crate::http::reply::{HeaderPolicy, Reply, with_cost};
use crate::query_context::QueryContext;
use database::LargeText;
use fhir::{BodyPiece, OF_THING, digest, shortened};
use search::{AnswerTag, Handling, Query, TagKey};
use smart::Permitted;
use store::{Cost, Store, format};

/// The tags of the answers to one request.
pub struct AnswerTags {
    key: TagKey,
    /// The tags that the caller knows.
    known: Vec<AnswerTag>,
    random: [u8; OF_THING],
}

impl RecordRequest<'_> {
    /// Returns the tags of the answers to this request, whose path is below the base. They are bound to everything
    /// that determines an answer except the stored data. `None` if the answers have no tags.
    pub fn tags(&self, path: &str) -> Option<AnswerTags> {
        self.tags_of(env!("CARGO_PKG_VERSION"), path)
    }

    /// Returns the tags of [`Self::tags`] for a version of this software.
    fn tags_of(&self, version: &str, path: &str) -> Option<AnswerTags> {
        let (parameters, QueryContext { base, index, cursors, grant, prefer, moment, most: _ }) = self.parts();
        let handling = match prefer {
            None => "",
            Some(Handling::Strict) => "strict",
            Some(Handling::Lenient) => "lenient",
        };
        let (identity, scopes) = (grant.identity(), grant.scopes.to_string());
        let known = self.known_of_search()?;
        let of_server = [version, format(), base, index.text()];
        let mut parts = [&of_server[..], &[path, handling, &identity, &scopes]].concat();
        parts.extend(parameters.iter().flat_map(|(name, value)| [name.as_str(), value]));
        let key = cursors.tags(&parts);
        Some(AnswerTags { known: key.open_each(known), key, random: shortened(&moment.random) })
    }
}

impl AnswerTags {
    /// Returns the tag of an answer with this outcome, and true if the caller knows the answer.
    pub fn of<B: LargeText>(&self, answer: &Answer<B>, outcome: Option<&str>) -> (String, bool) {
        let mut hasher = self.key.hasher();
        let mut add = |bytes: &[u8]| hasher.write(bytes);
        let position = answer.page_end.as_ref().map(|end| end.position.as_str());
        let total = answer.total.map(|total| total.to_string());
        for text in [total.as_deref(), position, outcome] {
            let text = text.unwrap_or_default();
            add([&text.len().to_string(), " ", text].concat().as_bytes());
        }
        for entry in &answer.entries {
            match entry {
                BodyPiece::Text(text) => add(text.as_bytes()),
                BodyPiece::Comma => {}
                BodyPiece::Stored(text) => text.for_each_part(&mut add),
            }
        }
        let contents = hasher.finish();
        let versions = answer.versions.as_deref().map_or(0, |versions| self.key.hash_of(versions));
        (self.key.seal(self.random, AnswerTag { contents, versions }), self.knows(contents))
    }

    /// Returns the tag of a document that is made of these texts, true if the caller knows the document, and bytes for
    /// its UUIDs. All are the same for equal texts. So the tag says nothing of versions: they also change with records
    /// that the grant does not open.
    pub fn of_document(&self, texts: &[&str]) -> (String, bool, [u8; 32]) {
        let mut hasher = self.key.hasher();
        texts.iter().for_each(|text| hasher.write(text.as_bytes()));
        let contents = hasher.finish();
        let bytes = digest(self.key.hash_of(&[contents.cast_signed()]).to_be_bytes());
        (self.key.seal(shortened(&bytes), AnswerTag { contents, versions: 0 }), self.knows(contents), bytes)
    }

    fn knows(&self, contents: u64) -> bool {
        self.known.iter().any(|tag| tag.contents == contents)
    }
}

/// Answers 304 if the caller knows the answer to these searches, as the versions of the records show. Otherwise returns
/// the cost of reading the versions. `disclosure` records the patients of the answer.
///
/// # Errors
/// If the store does not answer.
pub async fn confirm<S: Store>(
    tags: Option<&AnswerTags>,
    store: &S,
    searches: &[Permitted<Query>],
    prefer: Option<Handling>,
    disclosure: &mut Disclosure,
) -> Result<ControlFlow<Reply<S::Body>, Cost>, Problem> {
    let not_known = |cost| Ok(ControlFlow::Continue(cost));
    let Some(AnswerTags { key, known, random }) = tags.filter(|tags| tags.known.iter().any(|tag| tag.versions != 0))
    else {
        return not_known(Cost::Free);
    };
    let Some((versions, cost)) = store.versions(searches).await? else {
        return not_known(Cost::Free);
    };
    let versions = key.hash_of(&versions);
    let Some(tag) = known.iter().find(|tag| tag.versions == versions) else { return not_known(cost) };
    let named = searches.first().and_then(|permitted| permitted.request().patients.clone());
    disclosure.patients = named.unwrap_or_default();
    let reply = Reply::empty(304, HeaderPolicy::Fhir).with("ETag", key.seal(*random, *tag));
    Ok(ControlFlow::Break(with_cost(with_preference(reply, prefer), cost)))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::http::call::Moment;
    use crate::http::form::FormPairs;
    use search::{CursorKey, IndexSet, MAX_COUNT};
    use smart::Grant;

    #[test]
    fn another_version_of_the_software_knows_no_tag_of_this_one_h19() {
        let (grant, cursors, parameters) = (Grant::default(), CursorKey::new(b"secret"), FormPairs::new());
        let (base, index, moment) = ("https://here", IndexSet::of_r4(), Moment { now: 0, random: [7; 32] });
        let (cursors, moment, most) = (&cursors, &moment, MAX_COUNT);
        let context = QueryContext { base, index, cursors, grant: &grant, prefer: None, moment, most };
        let tag_of = |version: &str, known: &str| {
            let known = Some(Cow::from(known));
            let request = RecordRequest { parameters: &parameters, context, known, is_tagged: true };
            let (tag, is_known, _) = request.tags_of(version, "Observation").unwrap().of_document(&["the same"]);
            (tag, is_known)
        };
        let (old, _) = tag_of("1.0.0", "");
        assert!(tag_of("1.0.0", &old).1);
        let (new, is_known) = tag_of("1.0.1", &old);
        assert!(!is_known && tag_of("1.0.1", &new).1, "the answer is sent once");
    }
}
