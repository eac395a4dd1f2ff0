//! Pages: concatenated texts of resources. Before deflating, each UUID, and the resource's own id and version, are
//! replaced by numbers. In digits, they would be half of a deflated page. So the UUIDs are stored plain, each once, and
//! the resources' own ids and versions are in the head.

use std::borrow::Cow;
use std::collections::HashMap;
use std::str::from_utf8;

use memchr::memchr2;

use super::deflate::{Contents, contents, deflate_with_plain};
use super::error::ChartError;
use super::form::MAX_INFLATED;
use fhir::{to_postcard, uuid, uuid_text};

/// The byte before a number that stands for a text. The number is in postcard format: [`OWN_ID`], [`OWN_VERSION`],
/// [`NEW_UUID`], or a larger number for a UUID that has occurred before.
const REPLACED: u8 = 0;
/// The byte that marks the next byte as literal.
const LITERAL: u8 = 1;
const OWN_ID: usize = 0;
const OWN_VERSION: usize = 1;
/// The next UUID of the page. When the first UUID occurs again, its number is this one plus 1.
const NEW_UUID: usize = 2;
/// The shortest id or version that is replaced. A shorter one might be a part of many words.
const SHORTEST: usize = 8;
/// The length of a UUID in a text.
const LENGTH: usize = 36;

/// The properties of a resource that are in the head but not on its page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRow<'a> {
    pub id: &'a str,
    pub version: Cow<'a, str>,
    /// The end of the text among the texts of the page.
    pub end: usize,
}

/// Returns the stored form of texts, each given with the id and the version of its resource.
pub fn pack_page<'a>(texts: impl Iterator<Item = (&'a str, &'a str, &'a str)>) -> Vec<u8> {
    let mut page = Page::default();
    texts.for_each(|(id, version, text)| page.add(id, version, text.as_bytes()));
    deflate_with_plain(page.uuids.as_flattened(), &page.bytes)
}

#[derive(Default)]
struct Page {
    uuids: Vec<[u8; 16]>,
    numbers: HashMap<[u8; 16], usize>,
    bytes: Vec<u8>,
}

impl Page {
    fn add(&mut self, id: &str, version: &str, text: &[u8]) {
        let begins = |rest: &[u8], own: &str| own.len() >= SHORTEST && rest.starts_with(own.as_bytes());
        let mut rest = text;
        while let Some((byte, behind)) = rest.split_first() {
            let mut length = 1;
            if begins(rest, id) {
                self.replace(OWN_ID);
                length = id.len();
            } else if begins(rest, version) {
                self.replace(OWN_VERSION);
                length = version.len();
            } else if let Some(uuid) = uuid_at(rest) {
                let number = self.number(uuid);
                self.replace(number);
                length = LENGTH;
            } else {
                self.bytes.extend([REPLACED, LITERAL].contains(byte).then_some(LITERAL));
                self.bytes.push(*byte);
            }
            rest = behind.get(length - 1..).unwrap_or_default();
        }
    }

    fn replace(&mut self, number: usize) {
        self.bytes.push(REPLACED);
        self.bytes.extend(to_postcard(&number));
    }

    fn number(&mut self, uuid: [u8; 16]) -> usize {
        if let Some(number) = self.numbers.get(&uuid) {
            return *number;
        }
        self.uuids.push(uuid);
        self.numbers.insert(uuid, NEW_UUID + self.uuids.len());
        NEW_UUID
    }
}

fn uuid_at(text: &[u8]) -> Option<[u8; 16]> {
    let text = text.first_chunk::<LENGTH>().filter(|text| text[8] == b'-' && text[13] == b'-')?;
    uuid(from_utf8(text).ok()?)
}

/// Returns the texts of a page. `rows` are its resources in the order of their texts.
///
/// # Errors
/// If the page is damaged, or belongs to other resources.
pub fn open_page(stored: &[u8], rows: &[PageRow<'_>]) -> Result<Vec<u8>, ChartError> {
    let Contents { plain, inflated } = contents(stored)?;
    texts(plain, &inflated, rows).ok_or_else(|| ChartError::new("a page does not belong to its head"))
}

fn texts(plain: &[u8], mut rest: &[u8], mut rows: &[PageRow<'_>]) -> Option<Vec<u8>> {
    let mut uuids = plain.as_chunks().0.iter();
    let mut known: Vec<[u8; LENGTH]> = Vec::with_capacity(uuids.len());
    let total = rows.last().map_or(0, |row| row.end);
    if total > MAX_INFLATED {
        return None;
    }
    let mut texts = Vec::with_capacity(total);
    while let Some(at) = memchr2(REPLACED, LITERAL, rest) {
        let (unchanged, behind) = rest.split_at_checked(at)?;
        let (mark, behind) = behind.split_first()?;
        texts.extend(unchanged);
        if *mark == LITERAL {
            let (byte, behind) = behind.split_first()?;
            texts.push(*byte);
            rest = behind;
            continue;
        }
        let (number, behind) = postcard::take_from_bytes::<usize>(behind).ok()?;
        rest = behind;
        while let [row, further @ ..] = rows
            && row.end <= texts.len()
        {
            rows = further;
        }
        match number {
            OWN_ID => texts.extend(rows.first()?.id.as_bytes()),
            OWN_VERSION => texts.extend(rows.first()?.version.as_bytes()),
            NEW_UUID => {
                let uuid = uuid_text(uuids.next()?);
                texts.extend(uuid);
                known.push(uuid);
            }
            again => texts.extend(known.get(again - NEW_UUID - 1)?),
        }
        if texts.len() > total {
            return None;
        }
    }
    texts.extend(rest);
    (texts.len() == total).then_some(texts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    const A: &str = "0b9c3a52-7d1e-4c5f-8a6b-0123456789ab";
    const B: &str = "ffffffff-7d1e-4c5f-8a6b-0123456789ab";
    const VERSION: &str = "0123456789abcdef";

    fn opened(stored: &[u8], texts: &[(&str, &str)]) -> Result<String, ChartError> {
        let rows = texts.iter().scan(0, |end, (id, text)| {
            *end += text.len();
            Some(PageRow { id, version: VERSION.into(), end: *end })
        });
        open_page(stored, &rows.collect::<Vec<_>>()).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    fn pack_texts(texts: &[(&str, &str)]) -> Vec<u8> {
        pack_page(texts.iter().map(|(id, text)| (*id, VERSION, *text)))
    }

    #[test]
    fn uuids_are_stored_once_and_own_ids_and_versions_not_at_all() {
        let meta = format!("\"meta\":{{\"versionId\":\"{VERSION}\"}}");
        let of_a = format!("{{\"id\":\"{A}\",{meta},\"subject\":{{\"reference\":\"Patient/{B}\"}}}}");
        let of_c = format!("{{\"id\":\"a-long-id\",\"x\":[\"{B}\",\"{A}\",\"{}\"]}}", B.to_uppercase());
        let texts = [(A, &*of_a), ("a-long-id", &*of_c)];
        let stored = pack_texts(&texts);
        let Contents { plain, inflated } = contents(&stored).unwrap();
        assert_eq!(plain, [uuid(B).unwrap(), uuid(A).unwrap()].as_flattened());
        let mut rest = inflated.iter();
        let numbers = std::iter::from_fn(|| rest.find(|byte| **byte == REPLACED).and_then(|_| rest.next()));
        let expected = [OWN_ID, OWN_VERSION, NEW_UUID, OWN_ID, NEW_UUID + 1, NEW_UUID];
        assert_eq!(numbers.map(|number| usize::from(*number)).collect::<Vec<_>>(), expected);
        assert_eq!(opened(&stored, &texts), Ok([&*of_a, &*of_c].concat()));
        // A page that belongs to other resources.
        for other in [&texts[..1], &[texts[1], texts[0]], &[texts[0], ("a-longer-id", texts[1].1)], &[]] {
            assert!(opened(&stored, other).is_err_and(|error| error.0.contains("does not belong")), "{other:?}");
        }
    }

    #[test]
    fn bytes_that_are_marks_stay_what_they_are() {
        let text = "\0\u{1}\u{2}\u{3}0b9c3a52-7d1e-\u{0}ü\u{2}";
        let texts = [("short", text), ("\0\u{1}\u{2}\u{3}0b9c", text), ("a", "")];
        assert_eq!(opened(&pack_texts(&texts), &texts), Ok(text.repeat(2)));
        assert_eq!(opened(&pack_texts(&[]), &[]), Ok(String::new()));
    }

    fn part() -> impl Strategy<Value = String> {
        let known = [A, B, VERSION, "an-id-of-its-own"].map(str::to_owned);
        prop_oneof![proptest::sample::select(known.to_vec()), "[\0-\u{4}a-f-]{0,9}"]
    }

    proptest! {
        #[test]
        fn any_texts_come_back(parts in vec(vec(part(), 0..6), 0..5)) {
            let all: Vec<String> = parts.iter().map(|parts| parts.concat()).collect();
            let texts: Vec<_> = all.iter().map(|text| ("an-id-of-its-own", &**text)).collect();
            prop_assert_eq!(opened(&pack_texts(&texts), &texts), Ok(all.concat()));
        }

        #[test]
        fn other_bytes_break_nothing(
            plain in vec(any::<u8>(), 0..40),
            bytes in vec(0..6_u8, 0..20),
            ends in vec(0..80_usize, 0..4),
        ) {
            let row = |end: &usize| PageRow { id: A, version: VERSION.into(), end: *end };
            let rows: Vec<_> = ends.iter().map(row).collect();
            if let Some(texts) = texts(&plain, &bytes, &rows) {
                prop_assert_eq!(texts.len(), ends.last().copied().unwrap_or_default());
            }
        }
    }
}
