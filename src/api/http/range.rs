//! Requests for a part of a file (RFC 9110, section 14), and the choice of its encoding (section 12.5.3).

use std::ops::Range;

use super::call::{Call, Method};
use super::negotiate::is_known;
use super::problem::Problem;
use super::reply::{HeaderPolicy, Reply};
use super::stream::Stream;

/// The request of a `Range` header.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// The whole content. A malformed header, or one of another unit or of several ranges, is ignored.
    Whole,
    /// The bytes in this range.
    Bytes(Range<u64>),
    /// Bytes that do not exist.
    Nothing,
}

/// Answers with the stream, with the part of it that the call requests, or, if the client has the content with that
/// tag, without content.
///
/// # Errors
/// If the stream does not have the requested part.
pub fn reply_with_ranges<B>(call: &Call<'_>, stream: Stream, tag: String) -> Result<Reply<B>, Problem> {
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
    Ok(reply
        .with("ETag", tag)
        .with("Accept-Ranges", "bytes")
        // A proxy that compresses or inflates the bytes would invalidate their tag and their ranges.
        .with("Cache-Control", "no-store, no-transform"))
}

/// Parses a `Range` header for a content of that length.
fn part_of(header: Option<&str>, length: u64) -> Part {
    let Some(range) = header.and_then(|header| header.trim().strip_prefix("bytes=")) else { return Part::Whole };
    let Some((first, last)) = range.split_once('-') else { return Part::Whole };
    let (Some(first), Some(last)) = (number(first), number(last)) else { return Part::Whole };
    match (first, last) {
        (None, None) => Part::Whole,
        (None, Some(0)) => Part::Nothing,
        (None, Some(_)) if length == 0 => Part::Nothing,
        (None, Some(suffix)) => Part::Bytes(length.saturating_sub(suffix)..length),
        (Some(first), Some(last)) if last < first => Part::Whole,
        (Some(first), _) if first >= length => Part::Nothing,
        (Some(first), last) => Part::Bytes(first..last.map_or(length, |last| length.min(last.saturating_add(1)))),
    }
}

/// Parses a number. Returns `Some(None)` for an empty text, and `None` for any other text.
fn number(text: &str) -> Option<Option<u64>> {
    let text = text.trim();
    if text.is_empty() {
        return Some(None);
    }
    // A number that is too large counts as beyond the end.
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| Some(text.parse().unwrap_or(u64::MAX)))
}

/// Returns whether `If-Range` lets a range be sent: it is absent, or the tag, by strong comparison (RFC 9110, sections
/// 13.1.5 and 8.8.3.2). A date does not match, since the content has no date.
fn is_same(if_range: Option<&str>, tag: &str) -> bool {
    if_range.is_none_or(|value| value.trim() == tag)
}

/// Returns whether gzip is accepted, and at least as well as plain text.
pub fn takes_gzip(accept_encoding: Option<&str>) -> bool {
    let (mut gzip, mut any, mut identity) = (None, None, None);
    for part in accept_encoding.unwrap_or_default().split(',') {
        let (coding, parameters) = part.split_once(';').unwrap_or((part, ""));
        let quality = parameters.split(';').find_map(|one| one.trim().strip_prefix("q=")?.trim().parse::<f32>().ok());
        let quality = Some(quality.unwrap_or(1.0));
        match coding.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => gzip = quality,
            "*" => any = quality,
            "identity" => identity = quality,
            _ => {}
        }
    }
    let quality = gzip.or(any).unwrap_or(0.0);
    quality > 0.0 && quality >= identity.unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_cut_to_what_there_is() {
        for (header, expected) in [
            ("bytes=0-", Part::Bytes(0..10)),
            ("bytes=3-5", Part::Bytes(3..6)),
            ("bytes=9-9", Part::Bytes(9..10)),
            ("bytes=5-99999999999999999999", Part::Bytes(5..10)),
            ("bytes=-4", Part::Bytes(6..10)),
            ("bytes=-40", Part::Bytes(0..10)),
            ("bytes=10-", Part::Nothing),
            ("bytes=99999999999999999999-", Part::Nothing),
            ("bytes=-0", Part::Nothing),
            ("bytes=5-3", Part::Whole),
            ("bytes=-", Part::Whole),
            ("bytes=", Part::Whole),
            ("bytes=a-b", Part::Whole),
            ("bytes=0-1,4-5", Part::Whole),
            ("lines=0-1", Part::Whole),
            ("", Part::Whole),
        ] {
            assert_eq!(part_of(Some(header), 10), expected, "{header}");
        }
        assert_eq!(part_of(None, 10), Part::Whole);
        for header in ["bytes=0-", "bytes=-5"] {
            assert_eq!(part_of(Some(header), 0), Part::Nothing, "{header}");
        }
    }

    #[test]
    fn a_range_is_of_the_content_that_the_client_has() {
        assert!(is_same(None, "\"a\"") && is_same(Some("\"a\""), "\"a\""));
        for other in ["\"b\"", "W/\"a\"", "Sun, 06 Nov 1994 08:49:37 GMT", ""] {
            assert!(!is_same(Some(other), "\"a\""), "{other}");
        }
    }

    #[test]
    fn gzip_is_sent_where_it_is_accepted() {
        for header in [
            "gzip",
            "gzip, deflate, br",
            "br;q=1.0, gzip;q=0.8, *;q=0.1",
            "*",
            "GZIP",
            "x-gzip",
            "gzip;q=0.5, identity;q=0.5",
        ] {
            assert!(takes_gzip(Some(header)), "{header}");
        }
        for header in ["", "identity", "br", "gzip;q=0", "*;q=0", "gzip;q=0, *", "identity, gzip;q=0.5"] {
            assert!(!takes_gzip(Some(header)), "{header}");
        }
        assert!(!takes_gzip(None));
    }
}
