//! Reads of records (<https://hl7.org/fhir/R4/http.html#read>).

use super::carrier::read_opened;
use super::request::RecordRequest;
use crate::audit::Disclosure;
use crate::http::form::FormPairs;
use crate::http::negotiate::{is_known, with_pretty};
use crate::http::problem::Problem;
use crate::http::reply::{HeaderPolicy, Reply, with_cost};
use fhir::{BodyPiece, Issue, IssueCode, Reference, Subset, quoted};
use oauth::hashed;
use search::{Handling, choose_subset};
use store::{Store, StoredResource};

/// Answers a read by id, or a read of one version. `disclosure` records the patients of the resource.
///
/// # Errors
/// If the read is not permitted, if the resource does not exist or no access rule opens it, if its current version is a
/// different one, or if the store does not answer.
pub async fn read<S: Store>(
    store: &S,
    reference: Reference,
    version: Option<&str>,
    request: &RecordRequest<'_>,
    disclosure: &mut Disclosure,
) -> Result<Reply<S::Body>, Problem> {
    let (parameters, context) = request.parts();
    let subset = subset_of_read(parameters, context.prefer)?;
    let resource_type = reference.resource_type;
    let read = read_opened(store, &reference, context).await?;
    let is_wanted = |found: &StoredResource<_>| version.is_none_or(|version| version == found.version);
    let resource = read.found.filter(is_wanted).ok_or(Problem::NotFound)?;
    // A 304 (the caller's copy is current) and a HEAD (the length) disclose the resource too.
    disclosure.patients = resource.patients;
    // Each part of a resource is a separate representation.
    let part = if subset.is_whole() { String::new() } else { format!("-{}", hashed(&subset.label())) };
    let tag = format!("W/\"{}{part}\"", resource.version);
    let mut reply = if is_known(request.known(), &tag) {
        Reply::empty(304, HeaderPolicy::Fhir)
    } else {
        let body = if subset.is_whole() {
            BodyPiece::Stored(resource.body)
        } else {
            let text: String = resource.body.into();
            BodyPiece::Text(subset.cut(resource_type, &text).unwrap_or(text))
        };
        with_pretty(Reply { body: vec![body], ..Reply::empty(200, HeaderPolicy::Fhir) }, parameters)
    };
    reply = reply.with("ETag", tag);
    if let Some(modified) = resource.modified {
        reply = reply.with("Last-Modified", modified);
    }
    Ok(with_cost(reply, read.cost))
}

/// Returns the part of the resource that a read requests. Lenient handling ignores unsupported parameters.
fn subset_of_read(parameters: &FormPairs, prefer: Option<Handling>) -> Result<Subset, Issue> {
    let mut subset = Subset::Whole;
    for (name, value) in parameters {
        match name.as_str() {
            "_format" | "_pretty" => {}
            "_elements" | "_summary" => {
                choose_subset(&mut subset, name, value).map_err(|issue| issue.about(name.clone()))?;
            }
            _ if prefer == Some(Handling::Lenient) => {}
            name => {
                let issue = Issue::error(IssueCode::NotSupported, format!("A read has no parameter {}.", quoted(name)));
                return Err(issue.about(name).hint("_elements, _format, _pretty, _summary"));
            }
        }
    }
    Ok(subset)
}
