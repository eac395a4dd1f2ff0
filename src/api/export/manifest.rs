//! The status of an export: in progress, failed, or complete with the manifest of its files.

use serde_json::{Map, Value, json};

use super::exporter::Exporter;
use crate::problem::Problem;
use crate::{HeaderPolicy, Reply};
use ::export::{ExportStatus, Manifest, ManifestFile};
use fhir::{ResourceType, http_date, instant};

/// The address of the types of manifests in version 4.0.0.
const MANIFESTS: &str = "http://hl7.org/fhir/uv/bulkdata/StructureDefinition";

/// The seconds after which a client may ask for the status again.
const POLL: &str = "1";

/// Returns the answer to a request for the status. `address` is the address of the files of the export.
///
/// # Errors
/// If the export has failed, or the token does not open one of its types.
pub fn status_reply<B>(exporter: &Exporter, status: &ExportStatus, address: &str) -> Result<Reply<B>, Problem> {
    match status {
        ExportStatus::Running { done, parts } => {
            let progress = match parts {
                Some(parts) => format!("{}% ({done} of {parts} parts)", done * 100 / parts.max(&1)),
                None => "being divided into parts".to_owned(),
            };
            let reply = Reply::empty(202, HeaderPolicy::Fhir);
            Ok(reply.with("X-Progress", progress).with("Retry-After", POLL))
        }
        ExportStatus::Failed(why) => Err(Problem::ExportFailed(why.clone())),
        ExportStatus::Complete(manifest) => {
            for resource_type in manifest.output.iter().filter_map(|one| ResourceType::parse(&one.resource_type)) {
                exporter.require(resource_type)?;
            }
            let reply = Reply::text(200, HeaderPolicy::UncachedJson, written(manifest, address));
            // `Expires` states when the files end. For caches, `Cache-Control` has precedence (RFC 9111, section 5.3).
            Ok(match http_date(manifest.expires_at) {
                Some(date) => reply.with("Expires", date),
                None => reply,
            })
        }
    }
}

/// Returns the manifest as JSON, in the form of version 4.0.0 if it has no address of the request.
fn written(manifest: &Manifest, address: &str) -> String {
    let Manifest { transaction_time, request, output, deleted, error, .. } = manifest;
    let is_by_patient = output.iter().any(|one| one.resource_type.is_empty());
    let items = |files: &[ManifestFile]| files.iter().map(|one| item(one, address)).collect::<Vec<_>>();
    let mut body = Map::new();
    body.insert("transactionTime".to_owned(), instant(*transaction_time).into());
    if request.is_empty() {
        body.insert("manifestType".to_owned(), format!("{MANIFESTS}/BulkDataManifest").into());
    } else {
        body.insert("request".to_owned(), request.as_str().into());
    }
    body.insert("requiresAccessToken".to_owned(), true.into());
    if is_by_patient {
        body.insert("outputOrganizedBy".to_owned(), "Patient".into());
    }
    body.insert("output".to_owned(), items(output).into());
    if !deleted.is_empty() {
        body.insert("deleted".to_owned(), items(deleted).into());
    }
    body.insert(if request.is_empty() { "outcome" } else { "error" }.to_owned(), items(error).into());
    Value::Object(body).to_string()
}

/// Returns the manifest of the public directory, which is new every ten minutes at most.
pub fn published(manifest: &Manifest, address: &str) -> String {
    let (time, items) = (instant(manifest.transaction_time), manifest.output.iter().map(|one| item(one, address)));
    format!(
        "{{\"manifestType\":\"{MANIFESTS}/BulkPublishManifest\",\"transactionTime\":\"{time}\",\
         \"updateCadence\":\"PT10M\",\"requiresAccessToken\":false,\"output\":{}}}",
        Value::from(items.collect::<Vec<_>>())
    )
}

/// Returns the entry of a file. A file of one patient has no type.
fn item(file: &ManifestFile, address: &str) -> Value {
    let ManifestFile { resource_type, number, count, part } = file;
    let url = format!("{address}/{}.ndjson", part.clone().unwrap_or_else(|| number.to_string()));
    if resource_type.is_empty() {
        json!({"url": url, "count": count})
    } else {
        json!({"type": resource_type, "url": url, "count": count})
    }
}
