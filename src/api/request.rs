//! A request for records, by its address below the FHIR base. Each interaction is answered by its own function.

use std::borrow::Cow;

use super::audit::Disclosure;
use super::bearer::Authorized;
use super::call::{Call, Method};
use super::compartment::{search_compartment, search_record, search_types};
use super::doc_ref::doc_ref;
use super::everything::everything;
use super::form::{FormPairs, decode};
use super::interactions::{QueryContext, read, search};
use super::last_n::last_n;
use super::negotiate::require_json;
use super::path::Interaction;
use super::problem::Problem;
use super::reply::Reply;
use super::settings::Settings;
use store::Store;

/// Answers a search, a read or an operation, given as an address relative to the FHIR base: `Observation?patient=a`,
/// `Patient/a`. `disclosure` records the patients whose records are in the answer.
///
/// # Errors
/// If the search or the read fails. The problem has the status and the OperationOutcome.
///
/// ```
/// use std::pin::pin;
/// use std::task::{Context, Poll, Waker};
///
/// use api::{Disclosure, Moment, QueryContext, answer_request};
/// use ingest::LoadedMemory;
/// use search::{CursorKey, IndexSet, MAX_COUNT};
/// use smart::{Grant, ScopeSet};
///
/// let base = "https://example.org/fhir";
/// let mut loaded = LoadedMemory::new(base);
/// loaded.load(r#"{"resourceType": "Patient", "id": "amara"}"#, 0);
///
/// let grant = Grant { scopes: ScopeSet::parse("system/Patient.rs").unwrap(), ..Grant::default() };
/// let (cursors, moment) = (CursorKey::new(b"secret"), Moment { now: 0, random: [0; 32] });
/// let index = IndexSet::of_r4();
/// let (cursors, moment, most) = (&cursors, &moment, MAX_COUNT);
/// let context = QueryContext { base, index, cursors, grant: &grant, prefer: None, moment, most };
///
/// let mut disclosure = Disclosure::default();
/// let answer = pin!(answer_request(loaded.store(), "Patient/amara", context, &mut disclosure));
/// // A store in memory answers without waiting.
/// let Poll::Ready(Ok(reply)) = answer.poll(&mut Context::from_waker(Waker::noop())) else { panic!("no answer") };
/// assert_eq!(reply.status, 200);
/// ```
pub async fn answer_request<S: Store>(
    store: &S,
    request: &str,
    context: QueryContext<'_>,
    disclosure: &mut Disclosure,
) -> Result<Reply<S::Body>, Problem> {
    answer_conditional_request(store, request, None, context, disclosure).await
}

/// Answers a request like [`answer_request`], by 304 if the caller knows the answer. `known` is the value of
/// `If-None-Match`; without it, answers to searches have no tags.
///
/// # Errors
/// As for [`answer_request`].
pub async fn answer_conditional_request<S: Store>(
    store: &S,
    request: &str,
    known: Option<&str>,
    context: QueryContext<'_>,
    disclosure: &mut Disclosure,
) -> Result<Reply<S::Body>, Problem> {
    let request = request.strip_prefix(context.base).unwrap_or(request).trim_start_matches('/');
    let (path, query) = request.split_once('?').unwrap_or((request, ""));
    let parameters = decode(query)?;
    require_json(&parameters, None)?;
    let request =
        RecordRequest { parameters: &parameters, context, known: known.map(Cow::from), is_tagged: known.is_some() };
    request.answer(store, Interaction::of(path)?, disclosure).await
}

/// A request for records whose token has been verified, and whose client accepts JSON. Searches, operations and reads
/// only produce JSON; the bytes of a Binary, which are not JSON, are read in the previous step.
pub struct RecordRequest<'a> {
    parameters: &'a FormPairs,
    context: QueryContext<'a>,
    /// The `If-None-Match` of the request.
    known: Option<Cow<'a, str>>,
    /// True if answers to searches have tags: those over HTTP to GET and HEAD. What POST searches has no address, and
    /// thus no tag.
    is_tagged: bool,
}

impl<'a> RecordRequest<'a> {
    /// Checks that the client accepts JSON.
    ///
    /// # Errors
    /// If it only accepts another format.
    pub fn of(authorized: &'a Authorized, settings: &'a Settings, call: &'a Call<'_>) -> Result<Self, Problem> {
        require_json(authorized.parameters(), call.header("Accept").as_deref())?;
        let known = call.header("If-None-Match");
        let is_tagged = matches!(call.method, Method::Get | Method::Head);
        Ok(Self { parameters: authorized.parameters(), context: authorized.context(settings, call), known, is_tagged })
    }

    /// Returns the parameters of the request, and the context in which they are interpreted.
    pub const fn parts(&self) -> (&'a FormPairs, QueryContext<'a>) {
        (self.parameters, self.context)
    }

    /// Returns the `If-None-Match` of the request.
    pub fn known(&self) -> Option<&str> {
        self.known.as_deref()
    }

    /// Returns the `If-None-Match` of a request whose answers have tags, which may be empty.
    pub fn known_of_search(&self) -> Option<&str> {
        self.is_tagged.then(|| self.known().unwrap_or_default())
    }

    /// Answers an interaction.
    ///
    /// # Errors
    /// As for [`answer_request`].
    pub async fn answer<S: Store>(
        &self,
        store: &S,
        interaction: Interaction,
        disclosure: &mut Disclosure,
    ) -> Result<Reply<S::Body>, Problem> {
        // The futures of the other interactions are larger than those of a search and a read, and so they are boxed.
        match interaction {
            Interaction::Search(resource_type) => search(store, resource_type, self, disclosure).await,
            Interaction::Read(reference, version) => read(store, reference, version.as_deref(), self, disclosure).await,
            Interaction::Everything(patient) => Box::pin(everything(store, patient, self, disclosure)).await,
            // The router answers it, since only some servers have summaries.
            Interaction::Summary(_) => Err(Problem::NoRoute),
            Interaction::DocRef => Box::pin(doc_ref(store, self, disclosure)).await,
            Interaction::LastN => Box::pin(last_n(store, self, disclosure)).await,
            Interaction::Compartment(of, Some(resource_type)) => {
                Box::pin(search_compartment(store, &of, resource_type, self, disclosure)).await
            }
            Interaction::Compartment(of, None) => Box::pin(search_record(store, &of, self, disclosure)).await,
            Interaction::Types => Box::pin(search_types(store, self, disclosure)).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Moment;
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
