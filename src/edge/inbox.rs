//! Files that an R2 bucket receives, such as the exports of an EHR. Each is loaded when the notification of the bucket
//! comes through a queue, and a report is written beside it.

use serde::Deserialize;
use worker::{Bucket, Env};

use super::env::{Isolate, StoreKind};
use super::raise_corrections;
use crate::fhir::Micros;
use crate::ingest::writer::WriteFailure;
use crate::ingest::{DOCUMENTS, FileReport, LONGEST_FILE, Load, LoadedFile, load_file};
use crate::store::ShardMapCache;

/// The binding of the bucket.
const BUCKET: &str = "INBOX";
/// The beginning of the keys of reports.
const REPORTS: &str = "reports/";

/// A notification of a bucket (<https://developers.cloudflare.com/r2/buckets/event-notifications/>).
#[derive(Debug, Deserialize)]
pub struct Notification {
    object: NotifiedObject,
}

#[derive(Debug, Deserialize)]
struct NotifiedObject {
    key: String,
}

/// Loads the file of a notification, and writes its report. A file that is not there any more, or is itself a report,
/// is left out. Returns the report of a file that was loaded. Loading it again changes nothing.
///
/// # Errors
/// If the bucket or a database does not answer. The same notification may succeed later.
pub async fn receive(
    isolate: &Isolate,
    env: &Env,
    Notification { object: NotifiedObject { key } }: &Notification,
) -> Result<Option<FileReport>, String> {
    if key.starts_with(REPORTS) {
        return Ok(None);
    }
    if !matches!(isolate.records, StoreKind::D1) {
        return Err("files are loaded into D1 alone, and STORE is another".to_owned());
    }
    let fault = |error: worker::Error| error.to_string();
    let bucket = env.bucket(BUCKET).map_err(fault)?;
    let Some(object) = bucket.get(key).execute().await.map_err(fault)? else { return Ok(None) };
    let loaded = if object.size() > LONGEST_FILE as u64 {
        LoadedFile::too_long()
    } else {
        let Some(body) = object.body() else { return Ok(None) };
        load(isolate, env, key, &body.bytes().await.map_err(fault)?).await?
    };
    write_report(&bucket, key, &loaded.report).await.map_err(fault)?;
    Ok(Some(loaded.report))
}

async fn load(isolate: &Isolate, env: &Env, key: &str, bytes: &[u8]) -> Result<LoadedFile, String> {
    let attachments = env.var("ATTACHMENT_BASE_URL").map_or_else(|_| DOCUMENTS.to_owned(), |base| base.to_string());
    let now = js_sys::Date::now() as Micros * 1_000;
    let load = Load { base: &isolate.settings.base, attachments: &attachments, now, keeps_newer: true };
    let map = ShardMapCache::default();
    let databases = isolate.primary_databases(&map);
    let loaded = match load_file(&databases, load, key, bytes).await {
        Ok(loaded) => loaded,
        // The same file would fail again.
        Err(WriteFailure::Work(error)) => LoadedFile::refused(error.0),
        Err(WriteFailure::Database(error)) => {
            // With several shards a part may have been written.
            raise_corrections(isolate).await?;
            return Err(error.0);
        }
    };
    if loaded.corrects {
        raise_corrections(isolate).await?;
    }
    Ok(loaded)
}

async fn write_report(bucket: &Bucket, key: &str, report: &FileReport) -> worker::Result<()> {
    let text = serde_json::to_string(report)?;
    bucket.put(format!("{REPORTS}{key}.json"), text).execute().await.map(|_| ())
}
