//! A shelf: the resources of one type in one compartment, packed into one value, with copies of the resources that may
//! be included with them. One read of one value therefore answers a search, and bodies go out as slices of it.
//!
//! Numbers are little-endian and 32 bits wide. Texts are UTF-8, at the offsets that the numbers give. Bodies are at the
//! end, in the order of the rows, and each included copy follows the first row that it may be included with. Most
//! answers therefore need only the beginning of a value.
//!
//! ```text
//! head      format, 16 bytes | name of the body blocks, 16 bytes | own | rows | rows at | owners | owners at | columns
//!           | columns at | bodies at
//! rows      type | owner | sort key | version | modified | block | body        texts as: at, length
//! owners    number of patients, with UNDETERMINED, or EVERYONE | the ids, each: at, length
//! columns   parameter id | facts or links | entries | entries at
//! entries   value: at, length | places | places at                a distinct fact and the rows that have it
//! places    numbers of rows
//! ```
//!
//! The entries of a column are in the order of the first rows that have them, so that a search for a few rows can stop
//! early. References are sorted, for binary search.
//!
//! The first rows, in the order of their sort keys, are the shelf's own. They are followed by the included copies, by
//! type and id: the resources to which the own rows refer and which an include may follow, and the Provenance that
//! refers to them. If the bodies are too large for one value, they are in body blocks: values of their own that are
//! named by a digest of their contents, so that a shelf never slices a block that was written for another.
//!
//! Bytes come from outside: every access is checked, and a part that does not fit is absent.

mod fact;
mod open;
mod pack;
mod view;

pub use open::{BodyPlace, Shelf, ShelfError, extent, foreign};
pub use pack::{Packed, pack};
pub use view::{ShelfRow, View, followed};

/// The length of the first field of a value: the name of the format, filled with zeros.
const FORMAT: usize = 16;
/// The length of a head.
const HEAD: usize = 2 * FORMAT + 8 * 4;
/// The length of a row.
const ROW: usize = 11 * 4;
/// The length of an entry of the table of columns.
const COLUMN: usize = 4 * 4;
/// The length of an entry of a column.
const ENTRY: usize = 4 * 4;
/// The number of patients in the owner of a resource that belongs to everyone.
const EVERYONE: u32 = u32::MAX;
/// Added to the number of patients in an owner that is not determined.
const UNDETERMINED: u32 = 1 << 31;
/// The column holds facts.
const FACTS: u32 = 0;
/// The column holds links.
const LINKS: u32 = 1;
/// The most bytes of bodies in a shelf. KV takes values of 25 MiB, and an isolate has 128 MB.
const LARGEST: usize = 8 << 20;
/// The bytes of a body block, without the body that exceeds them.
const BLOCK: usize = 2 << 20;

/// A format as the first bytes of a value.
#[must_use]
pub fn format_field(format: &str) -> [u8; FORMAT] {
    let mut field = [0; FORMAT];
    field.iter_mut().zip(format.bytes()).for_each(|(to, from)| *to = from);
    field
}
