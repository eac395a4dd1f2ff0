//! The bytes of a Binary or of an attachment, as requested by `Accept` (<https://hl7.org/fhir/R4/binary.html#rest>).

use std::borrow::Cow;

use base64ct::{Base64, Encoding};
use serde::Deserialize;

use super::carrier::read_opened;
use super::documents::pieces;
use crate::audit::Disclosure;
use crate::http::call::Call;
use crate::http::form::{FormPairs, essence};
use crate::http::negotiate::{is_json_type, quality};
use crate::http::problem::Problem;
use crate::http::range::reply_with_ranges;
use crate::http::reply::{Reply, with_cost};
use crate::http::stream::{ObjectForm, Stream, StreamPiece};
use crate::query_context::QueryContext;
use fhir::{Document, Reference, ResourceType};
use store::Store;

/// The content type of unknown content.
const OCTETS: &str = "application/octet-stream";

/// The content types that are sent as stored, each with the extension of its file name. Browsers do not execute such
/// content. Other content is sent as [`OCTETS`].
const SAFE_TYPES: &[(&str, &str)] = &[
    ("application/pdf", "pdf"),
    ("application/dicom", "dcm"),
    ("application/json", "json"),
    ("application/fhir+json", "json"),
    ("application/hl7-v2", "hl7"),
    ("application/msword", "doc"),
    ("application/rtf", "rtf"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
    ("application/xml", "xml"),
    ("application/zip", "zip"),
    ("audio/mp4", "m4a"),
    ("audio/mpeg", "mp3"),
    ("audio/ogg", "ogg"),
    ("audio/wav", "wav"),
    ("image/bmp", "bmp"),
    ("image/gif", "gif"),
    ("image/jpeg", "jpg"),
    ("image/png", "png"),
    ("image/tiff", "tiff"),
    ("image/webp", "webp"),
    ("text/csv", "csv"),
    ("text/plain", "txt"),
    ("text/rtf", "rtf"),
    ("text/xml", "xml"),
    ("video/mp4", "mp4"),
    ("video/mpeg", "mpeg"),
    ("video/quicktime", "mov"),
    ("video/webm", "webm"),
];

/// The members of a Binary or an Attachment that determine its bytes.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Content<'a> {
    #[serde(borrow)]
    content_type: Option<Cow<'a, str>>,
    #[serde(borrow)]
    data: Option<Cow<'a, str>>,
}

/// The bytes, or the document that has them.
enum Bytes {
    Here(Vec<u8>),
    Document(Document),
}

impl Content<'_> {
    /// Returns the bytes. `None` if there are none, or if `data` is not base64.
    fn bytes(&self) -> Option<Bytes> {
        let data = self.data.as_deref()?;
        if let Some(document) = Document::parse(data) {
            return Some(Bytes::Document(document));
        }
        let without_blanks: String = data.chars().filter(|c| !c.is_ascii_whitespace()).collect();
        Base64::decode_vec(&without_blanks).ok().map(Bytes::Here)
    }
}

/// Returns the ranges of media types that request bytes: those of the highest quality except `*/*`. There are none if
/// the resource is requested, or if there is a `_format`.
pub fn ranges_for_bytes<'a>(parameters: &FormPairs, accept: &'a str) -> Vec<&'a str> {
    if parameters.iter().any(|(name, _)| name == "_format") {
        return Vec::new();
    }
    let all = accept.split(',').filter_map(|part| Some((essence(part), quality(part)?)));
    let named: Vec<_> = all.filter(|(range, quality)| range.contains('/') && *range != "*/*" && *quality > 0).collect();
    let highest = named.iter().map(|(_, quality)| *quality).max();
    named.into_iter().filter(|(_, quality)| Some(*quality) == highest).map(|(range, _)| range).collect()
}

/// Returns whether these ranges request the bytes of content of that type. The first range that names the type, any
/// bytes, or JSON decides.
fn ask_for_bytes(ranges: &[&str], content_type: &str) -> bool {
    let content_type = essence(content_type);
    let decides =
        |range: &&&str| is_json_type(range) || range.eq_ignore_ascii_case(OCTETS) || range_has(range, content_type);
    ranges.iter().find(decides).is_some_and(|range| !is_json_type(range))
}

/// Returns whether a media type is in a range (RFC 9110, section 12.5.1).
fn range_has(range: &str, media_type: &str) -> bool {
    match range.strip_suffix("/*") {
        Some(kind) => media_type.split_once('/').is_some_and(|(of, _)| of.eq_ignore_ascii_case(kind)),
        None => range.eq_ignore_ascii_case(media_type),
    }
}

/// Answers a read of a Binary with its bytes, if these ranges request them. `None` if they request the resource.
/// `disclosure` records its patients.
///
/// # Errors
/// As for a read.
pub async fn read_bytes<S: Store>(
    store: &S,
    reference: &Reference,
    ranges: &[&str],
    call: &Call<'_>,
    context: QueryContext<'_>,
    disclosure: &mut Disclosure,
) -> Result<Option<Reply<S::Body>>, Problem> {
    if reference.resource_type != ResourceType::Binary || ranges.is_empty() {
        return Ok(None);
    }
    let read = read_opened(store, reference, context).await?;
    let resource = read.found.ok_or(Problem::NotFound)?;
    let text: String = resource.body.into();
    let damaged = |error| Problem::Storage(format!("the text of {reference} is damaged: {error}"));
    let content: Content<'_> = serde_json::from_str(&text).map_err(damaged)?;
    let content_type = content.content_type.as_deref().unwrap_or(OCTETS);
    let Some(bytes) = content.bytes().filter(|_| ask_for_bytes(ranges, content_type)) else { return Ok(None) };
    disclosure.patients = resource.patients;
    let mut reply = reply_of(bytes, content_type, &reference.to_string(), call)?;
    if let Some(modified) = resource.modified {
        reply = reply.with("Last-Modified", modified);
    }
    Ok(Some(with_cost(reply, read.cost)))
}

/// Returns the answer with the bytes, or with the range of them that the call requests. `name` is the file name.
///
/// # Errors
/// If there are no bytes in the range.
fn reply_of<B>(bytes: Bytes, content_type: &str, name: &str, call: &Call<'_>) -> Result<Reply<B>, Problem> {
    let (document, pieces) = match bytes {
        Bytes::Document(document) => {
            let pieces = pieces(&document, &ObjectForm::Plain);
            (document, pieces)
        }
        Bytes::Here(bytes) => (Document::of(&bytes), vec![StreamPiece::Bytes(bytes)]),
    };
    let (media_type, ending) = sent_as(content_type);
    Ok(reply_with_ranges(call, Stream { pieces }, format!("\"{}\"", document.tag()))?
        .with("Content-Type", media_type)
        .with("Content-Disposition", format!("attachment; filename=\"{}.{ending}\"", file_name(name)))
        .with("Content-Security-Policy", "sandbox; default-src 'none'"))
}

/// Returns the content type with which bytes are sent, and the extension of the file name.
fn sent_as(content_type: &str) -> (String, &'static str) {
    let known = SAFE_TYPES.iter().find(|(safe, _)| safe.eq_ignore_ascii_case(essence(content_type)));
    let Some((safe, ending)) = known else { return (OCTETS.to_owned(), "bin") };
    let parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let charset = parameters.into_iter().find(|(name, _)| name.trim_ascii().eq_ignore_ascii_case("charset"));
    let is_token = |value: &&str| {
        (1..=40).contains(&value.len())
            && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    match charset.map(|(_, value)| value.trim_ascii().trim_matches('"')).filter(is_token) {
        Some(charset) if safe.starts_with("text/") || safe.ends_with("xml") => {
            (format!("{safe}; charset={charset}"), ending)
        }
        _ => ((*safe).to_owned(), ending),
    }
}

/// Returns a file name without characters that have a special meaning in a file system or a header.
fn file_name(name: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || c == '-';
    name.chars().map(|c| if is_safe(c) { c } else { '-' }).take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(accept: &str, content_type: &str) -> bool {
        ask_for_bytes(&ranges_for_bytes(&Vec::new(), accept), content_type)
    }

    #[test]
    fn bytes_are_asked_for_by_their_type_or_as_octets() {
        for accept in [
            "application/pdf",
            "Application/PDF;q=0.1",
            "application/octet-stream",
            "application/pdf, */*;q=0.8",
            "application/pdf, application/fhir+json",
            "application/fhir+json;q=0.5, application/pdf",
            "application/*",
            "image/png, application/pdf",
        ] {
            assert!(asks(accept, "application/pdf"), "{accept}");
        }
        for accept in [
            "",
            "*/*",
            "application/fhir+json",
            "application/json",
            "text/json, application/pdf;q=0.9",
            "application/fhir+json, application/pdf",
            "image/*",
            "application/pdf;q=0",
            "application/pdf;q=2",
            "nonsense",
            "*",
        ] {
            assert!(!asks(accept, "application/pdf"), "{accept}");
        }
        // A resource in JSON is requested with the same type as content in JSON.
        assert!(!asks("application/fhir+json", "application/fhir+json"));
        assert!(asks("application/octet-stream", "application/fhir+json"));
        assert!(asks("text/plain", "text/plain; charset=iso-8859-1"));
        assert!(asks("application/xml", "application/xml") && !asks("application/xml", "text/plain"));
        let format = vec![("_format".to_owned(), "json".to_owned())];
        assert!(ranges_for_bytes(&format, "application/pdf").is_empty());
    }

    #[test]
    fn dc03_what_a_browser_may_run_is_sent_as_octets() {
        for content_type in ["text/html", "image/svg+xml", "application/xhtml+xml", "text/javascript", "", "a\r\nb: c"]
        {
            assert_eq!(sent_as(content_type), (OCTETS.to_owned(), "bin"), "{content_type}");
        }
        for (content_type, sent) in [
            ("application/PDF; x=y", "application/pdf"),
            ("text/plain;charset=\"utf-8\"", "text/plain; charset=utf-8"),
            ("text/plain; charset=a\r\nb", "text/plain"),
            ("text/plain; charset=a b", "text/plain"),
        ] {
            assert_eq!(sent_as(content_type).0, sent);
        }
        assert!(SAFE_TYPES.iter().all(|(safe, _)| !["html", "svg", "script"].iter().any(|part| safe.contains(part))));
        assert_eq!(file_name("Binary/a.b\"\r\n;é/../c"), "Binary-a-b---------c");
    }
}
