//! The manifest of a bulk export (<https://hl7.org/fhir/uv/bulkdata/export.html#response---complete-status>).

use serde::{Deserialize, Serialize};

use crate::Failure;

/// The manifest of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// The time of the state that the export has. It is where the next one begins.
    pub transaction_time: String,
    /// True if the files need the token. Otherwise they get none.
    #[serde(default)]
    pub requires_access_token: bool,
    /// The files of resources.
    pub output: Vec<ManifestFile>,
    /// The files of deletions.
    #[serde(default)]
    pub deleted: Vec<ManifestFile>,
    /// The files that say what could not be exported.
    #[serde(default)]
    pub error: Vec<ManifestFile>,
}

/// A file of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// The type of its resources.
    #[serde(rename = "type", default)]
    pub resource_type: Option<String>,
    /// The address of the file.
    pub url: String,
    /// The number of its resources.
    #[serde(default)]
    pub count: Option<u64>,
}

/// The kind of the lines of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// Resources.
    Output,
    /// Bundles of deletions.
    Deleted,
    /// OperationOutcomes.
    Error,
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// If it is none, or names an address that is no absolute one of HTTP.
    pub fn parse(body: &[u8]) -> Result<Self, Failure> {
        let manifest: Self = serde_json::from_slice(body).map_err(Failure::doing("reading the manifest"))?;
        let wrong = manifest.files().find(|(_, file)| !is_address(&file.url));
        match wrong {
            Some((_, file)) => Err(Failure(format!("the manifest has {}, which is no address of a file", file.url))),
            None => Ok(manifest),
        }
    }

    /// All files, those of resources first.
    pub fn files(&self) -> impl Iterator<Item = (FileKind, &ManifestFile)> {
        let output = self.output.iter().map(|file| (FileKind::Output, file));
        let deleted = self.deleted.iter().map(|file| (FileKind::Deleted, file));
        output.chain(deleted).chain(self.error.iter().map(|file| (FileKind::Error, file)))
    }
}

/// Returns whether a text is an absolute address of HTTP.
#[must_use]
pub fn is_address(text: &str) -> bool {
    ["https://", "http://"].iter().any(|scheme| text.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_has_its_files_in_the_order_in_which_they_are_loaded() {
        let text = br#"{"transactionTime":"2026-01-01T00:00:00Z","request":"http://a.test/$export","requiresAccessToken":true,
            "error":[{"type":"OperationOutcome","url":"http://a.test/3"}],"deleted":[{"type":"Bundle","url":"http://a.test/2"}],
            "output":[{"type":"Patient","url":"https://a.test/1","count":2}],"extension":{}}"#;
        let manifest = Manifest::parse(text).unwrap();
        let files: Vec<_> = manifest.files().map(|(kind, file)| (kind, file.url.as_str(), file.count)).collect();
        assert_eq!(
            files,
            [
                (FileKind::Output, "https://a.test/1", Some(2)),
                (FileKind::Deleted, "http://a.test/2", None),
                (FileKind::Error, "http://a.test/3", None)
            ]
        );
        assert!(manifest.requires_access_token);
    }

    #[test]
    fn what_is_no_manifest_is_refused() {
        for text in [
            "",
            "[]",
            r#"{"output":[]}"#,
            r#"{"transactionTime":"2026-01-01T00:00:00Z"}"#,
            r#"{"transactionTime":"2026-01-01T00:00:00Z","output":[{"type":"Patient","url":"file:///etc/passwd"}]}"#,
            r#"{"transactionTime":"2026-01-01T00:00:00Z","output":[{"type":"Patient","url":"/1.ndjson"}]}"#,
        ] {
            assert!(Manifest::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
