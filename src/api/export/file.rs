//! The files of an export: NDJSON, compressed where the client accepts it, whole or in part.

use super::exporter::Exporter;
use super::gzip::{compressed, inflated};
use super::range::{Part, is_same, part_of, takes_gzip};
use crate::api::negotiate::is_known;
use crate::api::ports::ExportPort;
use crate::api::problem::Problem;
use crate::api::{Call, HeaderPolicy, Method, Reply};
use crate::export::{ExportFile, ExportStatus};
use crate::fhir::ResourceType;
use crate::job::JobError;

/// Answers with a file.
///
/// # Errors
/// If the client has no such file, if the token does not open what is in it, if there is no such part of it, or if the
/// exports do not answer.
pub async fn file<B>(
    exports: &dyn ExportPort,
    exporter: &Exporter,
    call: &Call<'_>,
    (id, number): (&str, usize),
) -> Result<(Reply<B>, String), Problem> {
    let fault = |JobError(detail)| Problem::Exports(detail);
    let client = exporter.grant.client.as_str();
    let file = exports.file(client, id, number).await.map_err(fault)?.ok_or(Problem::NotFound)?;
    let is_about_export = match file.resource_type.as_str() {
        "OperationOutcome" => true,
        // A Bundle says what was deleted, or is one that was exported.
        "Bundle" => match exports.status(client, id).await.map_err(fault)? {
            Some(ExportStatus::Complete(manifest)) => manifest.deleted.iter().any(|one| one.number == number),
            _ => return Err(Problem::NotFound),
        },
        _ => false,
    };
    if !is_about_export {
        permit(exporter, id, &file)?;
    }
    let reply = content(call, &file)?;
    Ok((reply, file.resource_type))
}

/// Checks that the token opens all that a file may have.
///
/// # Errors
/// If it does not.
fn permit(exporter: &Exporter, id: &str, file: &ExportFile) -> Result<(), Problem> {
    // A file by patient has resources of all types of the export.
    let on = ResourceType::parse(&file.resource_type);
    if let Some(on) = on {
        exporter.require(on)?;
    }
    // Of a type that the token opens in part, an export with other scopes may have more.
    if on.is_some_and(|on| exporter.opens_all(on)) || exporter.has_scopes_of(id) {
        return Ok(());
    }
    Err(Problem::MayNot { what: "files of an export that was begun with other scopes", scope: "system/*.read" })
}

/// The content of a file, as the headers of the call ask for it.
fn content<B>(call: &Call<'_>, file: &ExportFile) -> Result<Reply<B>, Problem> {
    let is_gzip = takes_gzip(call.header("Accept-Encoding").as_deref());
    let (stream, form) = if is_gzip { (compressed(file), "-gzip") } else { (inflated(file), "") };
    // Each form is a content of its own, of which a client goes on with the same one.
    let tag = format!("\"{}{form}\"", file.etag);
    let length = stream.length();
    let range = call.header("Range").filter(|_| call.method == Method::Get);
    let range = range.filter(|_| is_same(call.header("If-Range").as_deref(), &tag));
    let reply = if is_known(call.header("If-None-Match").as_deref(), &tag) {
        Reply::empty(304, HeaderPolicy::Fhir)
    } else {
        match part_of(range.as_deref(), length) {
            Part::Whole => Reply::streamed(200, HeaderPolicy::Fhir, stream),
            Part::Bytes(part) => {
                let of = format!("bytes {}-{}/{length}", part.start, part.end.saturating_sub(1));
                Reply::streamed(206, HeaderPolicy::Fhir, stream.slice(part)).with("Content-Range", of)
            }
            Part::Nothing => return Err(Problem::NoRange(length)),
        }
    };
    let reply = if is_gzip { reply.with("Content-Encoding", "gzip") } else { reply };
    Ok(reply
        .with("Content-Type", "application/fhir+ndjson")
        .with("ETag", tag)
        .with("Accept-Ranges", "bytes")
        // Who compresses it on the way, or inflates it, would break its tag and its ranges.
        .with("Cache-Control", "no-store, no-transform")
        .with("Vary", "Authorization, Accept, Accept-Encoding, Prefer, Origin"))
}
