//! The files of an export: NDJSON, compressed if the client accepts that, whole or in part.

use super::exporter::Exporter;
use super::gzip::{compressed, inflated};
use crate::http::problem::Problem;
use crate::http::range::{reply_with_ranges, takes_gzip};
use crate::{Call, Reply};
use ::export::{ExportFile, ExportPort, OwnedFile};
use fhir::ResourceType;
use job::JobError;
use smart::ScopeSet;

/// The type of the resources in a file of faults and notes.
const FAULTS: &str = "OperationOutcome";

/// Answers with a file, and with the types that it may contain.
///
/// # Errors
/// If the client has no such file, if the token does not open its contents, if it has no such part, or if the exports
/// do not answer.
pub async fn file<B>(
    exports: &dyn ExportPort,
    exporter: &Exporter,
    call: &Call<'_>,
    (id, number): (&str, usize),
) -> Result<(Reply<B>, Vec<String>), Problem> {
    let fault = |JobError(detail)| Problem::Exports(detail);
    let client = exporter.grant.client.as_str();
    let found = exports.file(client, id, number).await.map_err(fault)?;
    let OwnedFile { file, scopes, types } = found.ok_or(Problem::NotFound)?;
    let (has, opened) = match file.resource_type.as_str() {
        // The OperationOutcomes report what the server could not do.
        FAULTS => (vec![FAULTS.to_owned()], Vec::new()),
        "" => (types.clone(), types),
        one => (vec![one.to_owned()], vec![one.to_owned()]),
    };
    let begun = ScopeSet::parse(&scopes).map_err(|error| Problem::Exports(error.reason.to_owned()))?;
    for name in &opened {
        exporter.require_as(ResourceType::parse(name).ok_or(Problem::NotFound)?, &begun)?;
    }
    Ok((content(call, &file)?, has))
}

/// Returns the content of a file, according to the headers of the call.
///
/// # Errors
/// If it does not have the requested part.
pub fn content<B>(call: &Call<'_>, file: &ExportFile) -> Result<Reply<B>, Problem> {
    let is_gzip = takes_gzip(call.header("Accept-Encoding").as_deref());
    let (stream, form) = if is_gzip { (compressed(file), "-gzip") } else { (inflated(file), "") };
    // Each encoding is a separate representation, so that a client continues with the same one.
    let tag = format!("\"{}{form}\"", file.etag);
    let reply = reply_with_ranges(call, stream, tag)?;
    let reply = if is_gzip { reply.with("Content-Encoding", "gzip") } else { reply };
    Ok(reply
        .with("Content-Type", "application/fhir+ndjson")
        .with("Vary", "Authorization, Accept, Accept-Encoding, Prefer, Origin"))
}
