//! The status of an export: in progress, failed, or complete with the manifest of its files.

use serde_json::{Map, Value, json};

use super::exporter::Exporter;
use crate::http::problem::Problem;
use crate::{HeaderPolicy, Reply};
use ::export::{ChainPage, ExportStatus, Manifest, ManifestFile, NextPage};
use fhir::{Micros, ResourceType, http_date, instant};

/// The address of the types of manifests in version 4.0.0.
const MANIFESTS: &str = "http://hl7.org/fhir/uv/bulkdata/StructureDefinition";

/// The suffix of the number of a page in the address of its stub.
pub const STUB: &str = "-stub";

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

/// Returns the manifest of the public directory, which is new every ten minutes at most. It leads to the last page of
/// its chain as if that page had no files.
pub fn published(manifest: &Manifest, address: &str) -> String {
    let files = [("output", manifest.output.as_slice())];
    let next = manifest.page.map(|page| format!("{address}/{page}{STUB}.json"));
    publication(manifest.transaction_time, &files, next, address)
}

/// Returns a page of the chain of the public directory, without its files if it is a stub.
pub fn published_page(page: &ChainPage, is_stub: bool, address: &str) -> String {
    let output = page.output.as_deref().filter(|_| !is_stub);
    let files = output.map(|output| [("output", output), ("deleted", page.deleted.as_slice())]);
    let next = match page.next {
        NextPage::Pending => "#pending".to_owned(),
        NextPage::Closed => "#closed".to_owned(),
        NextPage::Number(number) => format!("{address}/{number}.json"),
    };
    publication(page.transaction_time, files.as_ref().map_or(&[], |files| &files[..]), Some(next), address)
}

fn publication(time: Micros, files: &[(&str, &[ManifestFile])], next: Option<String>, address: &str) -> String {
    let mut body = Map::new();
    body.insert("manifestType".to_owned(), format!("{MANIFESTS}/BulkPublishManifest").into());
    body.insert("transactionTime".to_owned(), instant(time).into());
    body.insert("updateCadence".to_owned(), "PT10M".into());
    body.insert("requiresAccessToken".to_owned(), false.into());
    for (name, files) in files {
        body.insert((*name).to_owned(), files.iter().map(|one| item(one, address)).collect());
    }
    if let Some(next) = next {
        body.insert("link".to_owned(), json!([{"relation": "next", "url": next}]));
    }
    Value::Object(body).to_string()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_leads_to_a_stub_and_pages_to_what_is_pending_closed_or_next_b9_b10() {
        let file = |number, part: &str| ManifestFile {
            resource_type: "Endpoint".to_owned(),
            number,
            count: 1,
            part: (!part.is_empty()).then(|| part.to_owned()),
        };
        let read = |text: String| -> Value { serde_json::from_str(&text).unwrap() };
        let next = |of: &Value| of["link"][0]["url"].as_str().unwrap().to_owned();
        let manifest = Manifest {
            transaction_time: 0,
            expires_at: 0,
            request: String::new(),
            output: vec![file(0, "d")],
            deleted: Vec::new(),
            error: Vec::new(),
            page: Some(3),
        };
        let root = read(published(&manifest, "a"));
        assert_eq!((root["output"][0]["url"].as_str(), next(&root)), (Some("a/d.ndjson"), "a/3-stub.json".to_owned()));
        assert!(read(published(&Manifest { page: None, ..manifest }, "a"))["link"].is_null());
        let page = ChainPage {
            transaction_time: 0,
            files: Vec::new(),
            output: Some(vec![file(0, "d")]),
            deleted: vec![file(3, "")],
            next: NextPage::Pending,
        };
        let whole = read(published_page(&page, false, "a"));
        assert_eq!(whole["deleted"][0]["url"], "a/3.ndjson");
        for (page, is_stub, has_files, leads_to) in [
            (page.clone(), false, true, "#pending"),
            (page.clone(), true, false, "#pending"),
            (ChainPage { output: None, ..page.clone() }, false, false, "#pending"),
            (ChainPage { next: NextPage::Closed, ..page.clone() }, false, true, "#closed"),
            (ChainPage { next: NextPage::Number(4), ..page }, true, false, "a/4.json"),
        ] {
            let read = read(published_page(&page, is_stub, "a"));
            assert_eq!((read["output"].is_array(), next(&read).as_str()), (has_files, leads_to), "{read}");
        }
    }
}
