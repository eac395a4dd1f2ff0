//! The stored form of charts: its number and its limits.

/// The number of the stored form, raised when heads, pages or their compression change. Other forms are refused.
pub const FORM: u8 = 2;
/// The number of the form of a head with further columns, beside those of the parameters of US Core.
pub const FORM_WITH_FURTHER: u8 = 3;

/// The texts of a page, unless they are large.
pub(super) const PAGE_BODIES: usize = 64;
/// The bytes of the texts of a page, unless it has one alone. An answer inflates whole pages.
pub(super) const PAGE_BYTES: usize = 1 << 20;
/// The bytes that a stored value may inflate to.
pub(super) const MAX_INFLATED: usize = 64 << 20;
/// The most bytes of the texts of a chart. A load that changes the chart has all of them in memory several times.
pub const MAX_TEXTS: usize = 24 << 20;
/// The most bytes of its head with the index, inflated, for the same reason.
pub const MAX_HEAD: usize = 5 << 20;
