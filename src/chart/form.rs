//! The form number and the limits of stored charts.

/// The number of the stored form. It is raised when heads, pages or their compression change. Other forms are refused.
pub const FORM: u8 = 2;
/// The number of the form of a head that has further columns besides those of the parameters of US Core.
pub const FORM_WITH_FURTHER: u8 = 3;

/// The most texts on a page. It has fewer if they are large.
pub(super) const PAGE_BODIES: usize = 64;
/// The most bytes of the texts on a page, unless it has only one text. An answer inflates whole pages.
const PAGE_BYTES: usize = 1 << 20;
/// The most bytes to which a stored value may inflate.
pub(super) const MAX_INFLATED: usize = 64 << 20;
/// The most bytes of the texts of a chart. A load that changes the chart has all of them in memory several times.
pub const MAX_TEXTS: usize = 24 << 20;
/// The most bytes of a chart's inflated head with its index, for the same reason.
pub const MAX_HEAD: usize = 5 << 20;

/// Returns whether a page with this number of texts takes another one, with which it has `bytes` bytes.
pub(super) const fn takes(texts: usize, bytes: usize) -> bool {
    texts == 0 || (texts < PAGE_BODIES && bytes <= PAGE_BYTES)
}
