//! FHIR R4: resource types, ids, references, times, element paths, and the two documents of answers: the searchset
//! Bundle and the OperationOutcome. Search parameters are in `search`, permission in `smart`.

mod bundle;
mod decimal;
mod digest;
mod document;
mod id;
mod instant;
mod json;
mod language;
mod outcome;
mod path;
mod raw_path;
mod resource_type;
mod span;
mod subset;
mod tables;
mod type_words;
mod uuid;

pub use bundle::{BodyPiece, Frame, Searchset, splice};
pub use decimal::{Decimal, WideDecimal, WrittenDecimal};
pub use digest::{DigestOfParts, OF_FORM, OF_THING, digest, digest_text, shortened};
pub use document::{
    BLOCK, Block, DOCUMENTS_PREFIX, Document, MAX_DOCUMENT_LENGTH, documents, joined, may_be_document,
    may_have_documents,
};
pub use id::{Id, Reference};
pub use instant::{http_date, instant};
pub use json::{
    Elements, compact, for_each_reference, indent, json, read_own, respell, texts, to_postcard, with_meta, without_meta,
};
pub use language::Language;
pub use outcome::{Issue, IssueCode, abridged, outcome, quoted};
pub use path::{for_each_object, for_each_reference_mut, for_each_value};
pub use raw_path::for_each_text;
pub use resource_type::ResourceType;
pub use span::{Micros, OPEN_END, OPEN_START, Span};
pub use subset::Subset;
pub use tables::{Blocks, Columns, columns, lines, words};
pub use uuid::{uuid, uuid_text, write_uuid};
