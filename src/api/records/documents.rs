//! Documents in answers: base64 replaces the marks in stored texts. The runtime encodes it from the blocks in the
//! bucket of files while it sends the answer. No client sees a mark.

use crate::http::reply::Reply;
use crate::http::stream::{ObjectForm, ObjectPiece, Stream, StreamPiece};
use database::LargeText;
use fhir::{BodyPiece, Document, documents};

/// The beginning of every mark, with its quote. Texts without marks hardly ever contain it.
const BEGINNING: &str = "\"~";

/// Returns the answer with the base64 of the documents in its texts. An answer without documents is unchanged.
pub fn with_documents<B: LargeText>(mut reply: Reply<B>) -> Reply<B> {
    let may_have = |piece: &BodyPiece<B>| match piece {
        BodyPiece::Text(text) => text.has(BEGINNING),
        BodyPiece::Comma => false,
        BodyPiece::Stored(text) => text.has(BEGINNING),
    };
    if !reply.body.iter().any(may_have) {
        return reply;
    }
    let mut stream = Stream::default();
    let mut bytes = Vec::new();
    for piece in std::mem::take(&mut reply.body) {
        match piece {
            BodyPiece::Text(text) => add(&text, &mut bytes, &mut stream),
            BodyPiece::Comma => bytes.push(b','),
            BodyPiece::Stored(text) => add(&text.into(), &mut bytes, &mut stream),
        }
    }
    if stream.pieces.is_empty() {
        // The body consists of texts.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        return Reply { body: vec![BodyPiece::Text(text)], ..reply };
    }
    stream.pieces.push(StreamPiece::Bytes(bytes));
    let length = stream.length().to_string();
    Reply { stream: Some(stream), ..reply }.with("Content-Length", length)
}

/// Adds a text, with the base64 of its documents. The text after the last document is in `bytes`.
fn add(text: &str, bytes: &mut Vec<u8>, stream: &mut Stream) {
    let mut from = 0;
    for (range, document) in documents(text) {
        bytes.extend(text.get(from..range.start).unwrap_or_default().as_bytes());
        stream.pieces.push(StreamPiece::Bytes(std::mem::take(bytes)));
        stream.pieces.extend(pieces(&document, &ObjectForm::Base64));
        from = range.end;
    }
    bytes.extend(text.get(from..).unwrap_or_default().as_bytes());
}

pub fn pieces(document: &Document, form: &ObjectForm) -> Vec<StreamPiece> {
    let piece = |block: &fhir::Block| {
        StreamPiece::Object(ObjectPiece { key: block.key(), range: 0..block.length, form: form.clone() })
    };
    document.blocks().iter().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeaderPolicy;
    use base64ct::{Base64, Encoding};
    use std::collections::HashMap;

    fn body(reply: Reply<String>, documents: &[&[u8]]) -> String {
        let blocks: HashMap<_, _> =
            documents.iter().map(|bytes| (Document::of(bytes).blocks()[0].key(), bytes.to_vec())).collect();
        let Some(stream) = reply.stream else { return fhir::splice(reply.body) };
        assert!(reply.body.is_empty());
        let length = reply.headers.iter().find(|(name, _)| *name == "Content-Length").map(|(_, value)| value.clone());
        let text: String = stream
            .pieces
            .iter()
            .map(|piece| match piece {
                StreamPiece::Bytes(bytes) => String::from_utf8(bytes.clone()).unwrap(),
                StreamPiece::Object(ObjectPiece { key, range, form: ObjectForm::Base64 }) => {
                    assert_eq!(*range, 0..blocks[key].len() as u64);
                    Base64::encode_string(&blocks[key])
                }
                StreamPiece::Object(other) => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(length, Some(text.len().to_string()));
        text
    }

    fn reply(pieces: Vec<BodyPiece<String>>) -> Reply<String> {
        Reply { body: pieces, ..Reply::empty(200, HeaderPolicy::Fhir) }
    }

    #[test]
    fn marks_in_each_piece_become_base64() {
        let (first, second) = (&b"the first"[..], &b"the second one"[..]);
        let resource = |bytes: &[u8]| format!("{{\"data\":\"{}\",\"a\":\"~\"}}", Document::of(bytes));
        let whole = |bytes: &[u8]| format!("{{\"data\":\"{}\",\"a\":\"~\"}}", Base64::encode_string(bytes));
        let answer = with_documents(reply(vec![
            BodyPiece::Text("[".to_owned()),
            BodyPiece::Stored(resource(first)),
            BodyPiece::Comma,
            BodyPiece::Text(resource(second)),
            BodyPiece::Comma,
            BodyPiece::Stored(resource(first)),
            BodyPiece::Text("]".to_owned()),
        ]));
        assert_eq!(body(answer, &[first, second]), format!("[{},{},{}]", whole(first), whole(second), whole(first)));
    }

    #[test]
    fn an_answer_without_documents_stays_as_it_is() {
        for texts in [["{}", "[]"], ["{\"data\":\"AAAA\"}", "~"]] {
            let answer = || reply(texts.map(|text| BodyPiece::Stored(text.to_owned())).to_vec());
            assert_eq!(with_documents(answer()), answer());
        }
        let text = "{\"a\":\"~\",\"data\":\"~é\"}";
        assert_eq!(body(with_documents(reply(vec![BodyPiece::Stored(text.to_owned())])), &[]), text);
    }
}
