//! The rows of charts in the table `chart`. A row holds the head or a page of a chart, or a part of either if it is
//! large. Its key is a number, so that all rows of a chart are one range of keys:
//!
//! | bits | |
//! |---|---|
//! | 36 | the number of the compartment in the table `compartment` |
//! | 8 | the number of the type |
//! | 16 | the number of the page, the oldest first; the head is behind the last |
//! | 3 | the number of parts that follow |

use super::Statement;
use super::text::{Sql, write_sql};
use crate::fhir::ResourceType;
use crate::store::chart::{Chart, ChartError};

const PART_BITS: u32 = 3;
const PAGE_BITS: u32 = 16;
const TYPE_BITS: u32 = 8;
/// The bits of a key behind the number of the compartment.
const CHART_BITS: u32 = TYPE_BITS + PLACE_BITS;
/// The bits of a key behind the number of the type.
const PLACE_BITS: u32 = PAGE_BITS + PART_BITS;
/// The largest number that a key adds to the first key of a chart.
const PLACES: u32 = (1 << PLACE_BITS) - 1;
/// The number of a head in place of that of a page.
const HEAD: u16 = u16::MAX;
/// The most bytes of a row. D1 takes values of 2,000,000 bytes, and a row is read as hexadecimal digits.
const LARGEST: usize = 900_000;
/// The pages that are read together with a head: 512 resources, unless they are large.
const PAGES_AHEAD: usize = 8;

/// The head or a page of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChartPart {
    /// The page of that number.
    Page(u16),
    /// The head.
    Head,
}

impl ChartPart {
    const fn number(self) -> u16 {
        match self {
            Self::Page(number) => number,
            Self::Head => HEAD,
        }
    }

    /// The page of that number, unless it is too large.
    #[must_use]
    pub fn page(number: usize) -> Option<Self> {
        u16::try_from(number).ok().filter(|number| *number != HEAD).map(Self::Page)
    }
}

/// The first key of the rows of a chart, and the last.
#[must_use]
pub fn chart_keys(compartment: i64, kind: ResourceType) -> (i64, i64) {
    let first = (compartment << CHART_BITS) + i64::from(type_key(kind));
    (first, first + i64::from(PLACES))
}

/// The first key of the charts of successive compartments, and the last.
#[must_use]
pub const fn compartment_keys(first: i64, last: i64) -> (i64, i64) {
    (first << CHART_BITS, ((last + 1) << CHART_BITS) - 1)
}

/// The compartment and the type of the chart with this key.
#[must_use]
pub fn chart_of(key: i64) -> Option<(i64, ResourceType)> {
    let number = u8::try_from((key >> PLACE_BITS) & ((1 << TYPE_BITS) - 1)).ok()?;
    Some((key >> CHART_BITS, ResourceType::numbered(number)?))
}

/// The condition that a row `t` of the charts with keys from `?1` to `?2` belongs to a head.
pub const IN_HEADS: &str = "t.k BETWEEN ?1 AND ?2 AND t.k & 524287 >= 524280";

/// Returns whether the row with this key belongs to a head.
pub fn is_of_head(key: i64) -> bool {
    (key & i64::from(PLACES)) >> PART_BITS == i64::from(HEAD)
}

/// The bits of a key for the type.
fn type_key(kind: ResourceType) -> u32 {
    u32::from(kind.number()) << PLACE_BITS
}

/// The rows of a head or a page: what is added to the first key of its chart, and the bytes. `None` if it is too large.
#[must_use]
pub fn rows(part: ChartPart, stored: &[u8]) -> Option<Vec<(i64, &[u8])>> {
    let first = i64::from(part.number()) << PART_BITS;
    let parts = stored.chunks(LARGEST);
    let count = i64::try_from(parts.len()).ok().filter(|count| *count <= 1 << PART_BITS)?;
    Some(parts.zip((0..count).rev()).map(|(bytes, follow)| (first + follow, bytes)).collect())
}

/// The head and pages in rows of a chart, whose keys descend, without those of which a part is missing. A row is given
/// by what its key adds to the first key of the chart, and by its bytes.
#[must_use]
pub fn parts(rows: impl IntoIterator<Item = (i64, Vec<u8>)>) -> Vec<(ChartPart, Vec<u8>)> {
    let mut found = Vec::new();
    let mut before: Vec<u8> = Vec::new();
    for (place, bytes) in rows {
        before.extend(bytes);
        if place & ((1 << PART_BITS) - 1) == 0 {
            let number = u16::try_from(place >> PART_BITS).unwrap_or(HEAD);
            let part = if number == HEAD { ChartPart::Head } else { ChartPart::Page(number) };
            found.push((part, std::mem::take(&mut before)));
        }
    }
    found
}

/// The chart of a head and its pages, in the order of [`parts`]. `None` if there is no head and no page.
///
/// # Errors
/// If the head is missing or damaged.
pub fn open_chart(
    kind: ResourceType,
    parts: impl IntoIterator<Item = (ChartPart, Vec<u8>)>,
) -> Result<Option<Chart>, ChartError> {
    let mut chart = None;
    for (part, bytes) in parts {
        match (part, &chart) {
            (ChartPart::Head, _) => chart = Some(Chart::open(kind, &bytes)?),
            (ChartPart::Page(number), Some(chart)) => chart.put_page(usize::from(number), bytes),
            (ChartPart::Page(_), None) => return Err(ChartError("a chart has no head".to_owned())),
        }
    }
    Ok(chart)
}

/// The statement for a chart of a compartment: the version of the compartment, and in descending order the rows of the
/// head and of the newest pages. There is one row with the version alone if the chart does not exist, or if the version
/// is `known`.
#[must_use]
pub fn select_chart(compartment: &str, kind: ResourceType, known: Option<i64>) -> Statement {
    let mut sql = Sql::new();
    let sql_ref = &mut sql;
    let compartment = sql_ref.bind(compartment);
    write_sql!(sql_ref, "SELECT p.version, c.k & ", PLACES, " AS place, hex(c.data) AS data FROM compartment p ");
    write_sql!(sql_ref, "LEFT JOIN chart c ON c.k BETWEEN (p.n << ", CHART_BITS, ") + ", type_key(kind), " AND ");
    if let Some(known) = known {
        let known = sql_ref.number(known);
        write_sql!(sql_ref, "CASE p.version WHEN ", known, " THEN 0 ELSE ");
    }
    write_sql!(sql_ref, "(p.n << ", CHART_BITS, ") + ", type_key(kind) + PLACES);
    write_sql!(sql_ref, if known.is_some() { " END" } else { "" }, " WHERE p.id = ", compartment);
    write_sql!(sql_ref, " ORDER BY c.k DESC LIMIT ", PAGES_AHEAD + 1);
    sql.finish()
}

/// The statement for pages of a chart of a compartment that has this version: the rows, in no certain order. `pages`
/// are their numbers, each with the bytes to which it inflates. Each row is looked up by its key, so that D1 counts one
/// for the compartment and one for each row: a range of keys would count one more, and so would a list in `json_each`.
#[must_use]
pub fn select_pages(compartment: &str, kind: ResourceType, version: i64, pages: &[(usize, usize)]) -> Statement {
    let places = pages.iter().flat_map(|(number, length)| {
        let first = (number << PART_BITS) + type_key(kind) as usize;
        (0..most_parts(*length)).map(move |follow| first + follow)
    });
    let mut sql = Sql::new();
    let sql_ref = &mut sql;
    let compartment = sql_ref.bind(compartment);
    let version = sql_ref.number(version);
    write_sql!(sql_ref, "SELECT c.k & ", PLACES, " AS place, hex(c.data) AS data FROM (VALUES ");
    for (at, place) in places.enumerate() {
        write_sql!(sql_ref, if at > 0 { "," } else { "" }, "(", place, ")");
    }
    write_sql!(
        sql_ref,
        ") j CROSS JOIN chart c WHERE c.k = ((SELECT p.n FROM compartment p WHERE p.id = ",
        compartment
    );
    write_sql!(sql_ref, " AND p.version = ", version, ") << ", CHART_BITS, ") + j.column1");
    sql.finish()
}

/// The most parts of a page that inflates to so many bytes. Deflating adds some bytes to what it cannot shorten.
fn most_parts(length: usize) -> usize {
    (length + length / 100).div_ceil(LARGEST - 1_000).clamp(1, 1 << PART_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_parts_are_inverse() {
        let (small, large) = (vec![1; 10], vec![2; 2 * LARGEST + 5]);
        let mut all = rows(ChartPart::Head, &small).unwrap();
        let page = rows(ChartPart::Page(3), &large).unwrap();
        assert_eq!(page.len(), 3);
        all.extend(page);
        assert!(all.is_sorted_by(|(a, _), (b, _)| a > b));
        let owned: Vec<_> = all.iter().map(|(place, bytes)| (*place, bytes.to_vec())).collect();
        assert_eq!(parts(owned.clone()), [(ChartPart::Head, small), (ChartPart::Page(3), large)]);
        assert_eq!(parts(owned.into_iter().take(3)).len(), 1, "a page that is cut is left out");
        assert_eq!(rows(ChartPart::Head, &vec![0; 9 * LARGEST]), None);
        assert_eq!([0, 90_000, LARGEST, 2 * LARGEST, 100 * LARGEST].map(most_parts), [1, 1, 2, 3, 8]);
        assert_eq!((ChartPart::page(usize::from(HEAD)), ChartPart::page(2)), (None, Some(ChartPart::Page(2))));
    }

    #[test]
    fn keys_of_a_chart_are_a_range_of_their_own() {
        let (first, last) = chart_keys(7, ResourceType::Observation);
        assert_eq!(chart_of(first), Some((7, ResourceType::Observation)));
        assert_eq!(chart_of(last), Some((7, ResourceType::Observation)));
        assert_ne!(chart_of(last + 1), chart_of(last));
        assert_eq!(chart_keys((1 << 36) - 1, ResourceType::Patient).1 >> CHART_BITS, (1 << 36) - 1);
    }

    #[test]
    fn rows_of_heads_are_told_by_their_keys() {
        assert_eq!((i64::from(PLACES), i64::from(HEAD) << PART_BITS), (524_287, 524_280), "as `IN_HEADS` says");
        let (first, _) = chart_keys(7, ResourceType::Observation);
        let of = |part| rows(part, &[1; 10]).unwrap()[0].0 + first;
        assert!(is_of_head(of(ChartPart::Head)) && !is_of_head(of(ChartPart::Page(3))));
    }
}
