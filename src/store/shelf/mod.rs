//! A shelf: the resources of one type in one compartment, packed into one value, with everything that may be included with them.
//! One read of one value therefore answers a search, and bodies go out as slices of it.
//!
//! Numbers are little-endian and 32 bits wide, texts are UTF-8 and lie wherever the numbers say. Bodies lie behind all that
//! a search looks at, in the order of the rows, and each guest beside the first row that it is a guest of: so what most
//! answers are made of is at the beginning of a value, and the rest of it need not be read.
//!
//! ```text
//! head      format, 16 bytes | name of the trays, 16 bytes | own | rows | rows at | owners | owners at | columns | columns at
//!           | bodies at
//! rows      type | owner | sort key | version | modified | tray | body           texts as: at, length
//! owners    number of patients, with UNDETERMINED, or EVERYONE | the ids, each: at, length
//! columns   parameter id | facts or links | entries | entries at
//! entries   value: at, length | places | places at                           a distinct fact, once, and the rows that have it
//! places    numbers of rows
//! ```
//!
//! The entries of a column stand in the order of the first rows that have them, so that who looks for a few rows stops there;
//! references stand in the order of what they say, to be found by it.
//!
//! The first rows, in the order of their sort keys, are the shelf's own; behind them are its guests, by type and id: what the
//! own rows point to and an include may follow, and the Provenance that points to them. Where the bodies are too many for
//! one value, they lie on trays: values of their own, named for what is on them, so that a shelf never slices a tray that
//! was written for another.
//!
//! Bytes come from outside: every look into them is checked, and what does not fit is absent.

mod fact;
mod open;
mod pack;
mod view;

pub use open::{BodyPlace, Shelf, ShelfError, extent, foreign};
pub use pack::{Packed, pack};
pub use view::{ShelfRow, View, followed};

/// What the head of a value begins with: the name of the format, filled with zeros.
const FORMAT: usize = 16;
/// The length of a head.
const HEAD: usize = 2 * FORMAT + 8 * 4;
/// The length of a row.
const ROW: usize = 11 * 4;
/// The length of an entry of the table of columns.
const COLUMN: usize = 4 * 4;
/// The length of an entry of a column.
const ENTRY: usize = 4 * 4;
/// The number of patients of what belongs to everyone.
const EVERYONE: u32 = u32::MAX;
/// Added to the number of patients of what is not indexed.
const UNDETERMINED: u32 = 1 << 31;
/// What a column holds.
const FACTS: u32 = 0;
const LINKS: u32 = 1;
/// Bodies of more bytes than this do not stand in the shelf: KV takes values of 25 MiB, and an isolate has 128 MB.
const LARGEST: usize = 8 << 20;
/// The bytes of a tray, but for the body that fills it.
const TRAY: usize = 2 << 20;

/// A format as the first bytes of a value.
#[must_use]
pub fn format_field(format: &str) -> [u8; FORMAT] {
    let mut field = [0; FORMAT];
    field.iter_mut().zip(format.bytes()).for_each(|(to, from)| *to = from);
    field
}
