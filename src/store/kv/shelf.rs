//! A shelf: a chart as one value of a key-value store.
//!
//! It begins with the name of the format, 16 bytes. A [`StoredShelf`] follows, as postcard writes it: the head of the
//! chart and its pages. Pages that are too large for one value together are values of their own, named by a digest of
//! their contents, so that a shelf never refers to pages of another load.

use serde::{Deserialize, Serialize};

use crate::{another_format, format};
use chart::{Chart, ChartError, PackedChart};
use fhir::{OF_FORM, ResourceType, digest_text, to_postcard};

/// The length of the name of the format, filled with zeros.
const FORMAT: usize = 16;
/// Pages with more bytes than this become separate values. A KV value has at most 25 MiB, and an isolate 128 MB.
const LARGEST: usize = 8 << 20;

#[derive(Debug, Serialize, Deserialize)]
struct StoredShelf<'a> {
    #[serde(borrow, with = "serde_bytes")]
    head: &'a [u8],
    #[serde(borrow)]
    pages: Vec<StoredPage<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
enum StoredPage<'a> {
    /// A page in the shelf.
    Here(#[serde(borrow, with = "serde_bytes")] &'a [u8]),
    /// A page in a separate value with this name.
    Apart(&'a str),
}

/// The values of a shelf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedShelf {
    /// The shelf.
    pub value: Vec<u8>,
    /// The pages that are separate values, by name.
    pub pages: Vec<(String, Vec<u8>)>,
}

impl PackedShelf {
    /// Returns the values of a chart.
    pub fn of(chart: &PackedChart) -> Self {
        let apart = chart.pages.iter().map(Vec::len).sum::<usize>() > LARGEST;
        let name = |page: &Vec<u8>| digest_text::<OF_FORM>(page);
        let names: Vec<String> = if apart { chart.pages.iter().map(name).collect() } else { Vec::new() };
        let pages = if apart {
            names.iter().map(|name| StoredPage::Apart(name)).collect()
        } else {
            chart.pages.iter().map(|page| StoredPage::Here(page)).collect()
        };
        let shelf = to_postcard(&StoredShelf { head: &chart.head, pages });
        let in_format = |bytes: &[u8]| [&format_field(format())[..], bytes].concat();
        let pages = names.iter().cloned().zip(chart.pages.iter().map(|page| in_format(page))).collect();
        Self { value: in_format(&shelf), pages }
    }
}

/// An opened shelf.
#[derive(Debug)]
pub struct Shelf {
    /// The chart.
    pub chart: Chart,
    /// The names of the pages that are separate values; empty for other pages.
    apart: Vec<String>,
}

impl Shelf {
    /// Opens a shelf of resources of a type.
    pub fn open(resource_type: ResourceType, value: &[u8]) -> Result<Self, ShelfError> {
        let shelf: StoredShelf<'_> =
            postcard::from_bytes(contents(value)?).map_err(|_| ShelfError("a shelf is damaged".to_owned()))?;
        let chart = Chart::open(resource_type, shelf.head)?;
        let mut apart = Vec::with_capacity(shelf.pages.len());
        for (number, page) in shelf.pages.into_iter().enumerate() {
            apart.push(match page {
                StoredPage::Here(page) => {
                    chart.put_page(number, page.to_vec());
                    String::new()
                }
                StoredPage::Apart(name) => name.to_owned(),
            });
        }
        if apart.len() != chart.pages() {
            return Err(ShelfError("a shelf has another number of pages than its head".to_owned()));
        }
        Ok(Self { chart, apart })
    }

    /// Returns the name of the separate value of a page, if it has one.
    pub fn page_name(&self, number: usize) -> Option<&str> {
        self.apart.get(number).map(String::as_str).filter(|name| !name.is_empty())
    }
}

/// The reason why a value cannot be read, or is not a shelf. Only for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ShelfError(pub String);

impl From<ChartError> for ShelfError {
    fn from(error: ChartError) -> Self {
        Self(error.0)
    }
}

/// Returns the bytes of a value after the name of the format.
pub fn contents(value: &[u8]) -> Result<&[u8], ShelfError> {
    let (stored, contents) = value.split_at_checked(FORMAT).unwrap_or((value, &[]));
    if stored == format_field(format()) {
        return Ok(contents);
    }
    let stored = String::from_utf8_lossy(stored);
    Err(ShelfError(another_format("shelves", stored.trim_end_matches('\0'))))
}

/// Returns a format as the first bytes of a value.
pub fn format_field(format: &str) -> [u8; FORMAT] {
    let mut field = [0; FORMAT];
    field.iter_mut().zip(format.bytes()).for_each(|(to, from)| *to = from);
    field
}
