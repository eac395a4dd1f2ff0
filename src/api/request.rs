//! A request for records, by its address below the FHIR base: each interaction is answered by a function of its own.

use super::audit::Disclosure;
use super::compartment::{search_compartment, search_record, search_types};
use super::everything::everything;
use super::form::{FormPairs, decode};
use super::interactions::{QueryContext, read, search};
use super::last_n::last_n;
use super::negotiate::require_json;
use super::path::Interaction;
use super::problem::Problem;
use super::reply::Reply;
use store::Store;

/// Answers a search, a read or an operation, written as below the FHIR base: `Observation?patient=a`, `Patient/a`.
/// `disclosure` records the patients whose records are in the answer.
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
/// use search::{CursorKey, IndexSet};
/// use smart::{Grant, ScopeSet};
///
/// let base = "https://example.org/fhir";
/// let mut loaded = LoadedMemory::new(base);
/// loaded.load(r#"{"resourceType": "Patient", "id": "amara"}"#, 0);
///
/// let grant = Grant { scopes: ScopeSet::parse("system/Patient.rs").unwrap(), ..Grant::default() };
/// let (cursors, moment) = (CursorKey::new(b"secret"), Moment { now: 0, random: [0; 32] });
/// let index = IndexSet::all();
/// let context = QueryContext { base, index, cursors: &cursors, grant: &grant, prefer: None, moment: &moment };
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
    let request = request.strip_prefix(context.base).unwrap_or(request).trim_start_matches('/');
    let (path, query) = request.split_once('?').unwrap_or((request, ""));
    let parameters = decode(query).map_err(|issue| Problem::Bad(vec![issue]))?;
    require_json(&parameters, None)?;
    dispatch(store, Interaction::parse(path)?, None, &parameters, context, disclosure).await
}

/// Answers an interaction. `if_none_match` is that header of the request, for a read.
///
/// # Errors
/// As for [`answer_request`].
pub async fn dispatch<S: Store>(
    store: &S,
    interaction: Interaction,
    if_none_match: Option<&str>,
    parameters: &FormPairs,
    context: QueryContext<'_>,
    disclosure: &mut Disclosure,
) -> Result<Reply<S::Body>, Problem> {
    // The futures of the others are larger than those of a search and a read. They are boxed, so that these do not
    // reserve their size.
    match interaction {
        Interaction::Search(resource_type) => search(store, resource_type, parameters, context, disclosure).await,
        Interaction::Read(reference, version) => {
            read(store, reference, version.as_deref(), parameters, if_none_match, context, disclosure).await
        }
        Interaction::Everything(patient) => Box::pin(everything(store, patient, parameters, context, disclosure)).await,
        Interaction::LastN => Box::pin(last_n(store, parameters, context, disclosure)).await,
        Interaction::Compartment(of, Some(on)) => {
            Box::pin(search_compartment(store, &of, on, parameters, context, disclosure)).await
        }
        Interaction::Compartment(of, None) => {
            Box::pin(search_record(store, &of, parameters, context, disclosure)).await
        }
        Interaction::Types => Box::pin(search_types(store, parameters, context, disclosure)).await,
    }
}
