//! The interactions of the API (<https://hl7.org/fhir/R4/http.html>). A request for records is answered by the function
//! of its interaction.

use std::borrow::Cow;

use super::compartment::{search_compartment, search_record, search_types};
use super::doc_ref::doc_ref;
use super::everything::everything;
use super::last_n::last_n;
use super::read::read;
use super::request::RecordRequest;
use super::search::search;
use crate::audit::Disclosure;
use crate::http::form::decode;
use crate::http::negotiate::require_json;
use crate::http::path::Interaction;
use crate::http::problem::Problem;
use crate::http::reply::Reply;
use crate::query_context::QueryContext;
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

impl RecordRequest<'_> {
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
