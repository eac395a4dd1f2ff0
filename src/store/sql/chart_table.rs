//! The rows of charts in the table `chart`. The head and the last page share a row, since a load that adds to a chart
//! writes both, and most charts have no other page. Each earlier page has a row of its own. A large row is divided into
//! parts. The key of a row is a number, so that all rows of a chart are one range of keys:
//!
//! | bits | |
//! |---|---|
//! | 31 | the number of the compartment in the table `compartment` |
//! | 8 | the number of the type |
//! | 16 | the number of the page, the oldest first; the head with the last page has the largest number |
//! | 3 | the number of parts that follow |

use std::cmp::Reverse;

use super::text::{Sql, write_sql};
use crate::names::name_hash;
use chart::{Chart, ChartError, ChartName, PackedChart};
use database::Statement;
use fhir::ResourceType;

const PART_BITS: u32 = 3;
const PAGE_BITS: u32 = 16;
const TYPE_BITS: u32 = 8;
/// The bits of a key after the number of the compartment.
const CHART_BITS: u32 = TYPE_BITS + OFFSET_BITS;
/// The bits of a key after the number of the type.
const OFFSET_BITS: u32 = PAGE_BITS + PART_BITS;
/// The largest offset of a row. The offset is the difference between its key and the first key of its chart.
const LARGEST_OFFSET: u32 = (1 << OFFSET_BITS) - 1;
/// The number of a head in place of a page number.
const HEAD: u16 = u16::MAX;
/// The length of the head in its row, as 32 bits in little-endian order before the head.
const LENGTH: usize = 4;
/// The most bytes of a row. D1 accepts values of at most 2,000,000 bytes, and a row is read as hexadecimal digits.
const LARGEST: usize = 900_000;
/// The most rows that are read of a chart: the head with the last page, and the newest pages before it. If they are not
/// large, these have 512 resources in all.
const ROWS_AHEAD: usize = 8;
/// The rows that D1 counts for a chart if only the head is read: that of the compartment, that of the head, and the row
/// before that.
const ROWS_OF_HEAD: usize = 3;
/// The most rows that are read of a chart and of the heads beside it, unless the heads have more rows.
const ROWS_WITH_HEADS: usize = 9;
/// The most rows of heads that are read at once.
const MAX_HEADS: usize = 513;

/// The part of a chart that is read at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Only the head.
    Head,
    /// This number of rows, beginning with the head.
    Rows(usize),
}

impl Extent {
    /// The most that is read of a chart at once.
    pub const MAX: Self = Self::Rows(ROWS_AHEAD);
}

/// Returns the extents to read of the charts with these names, and of those of which only the `heads` are needed. The
/// more heads there are for each chart, the fewer pages are read with it, so that a search reads no more rows.
pub fn extents<'n>(names: &'n [ChartName], heads: &'n [ChartName]) -> impl Iterator<Item = (&'n ChartName, Extent)> {
    let heads_of_each = heads.len().div_ceil(names.len().max(1));
    let rows = ROWS_WITH_HEADS.saturating_sub(ROWS_OF_HEAD * heads_of_each).clamp(2, ROWS_AHEAD);
    let read = names.iter().map(move |name| (name, Extent::Rows(rows)));
    read.chain(heads.iter().map(|name| (name, Extent::Head)))
}

/// The head or a page of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChartPart {
    /// The page with that number, which is not the last one.
    Page(u16),
    /// The last page.
    LastPage,
    /// The head.
    Head,
}

/// Returns the first and the last key of the rows of a chart.
pub fn chart_keys(compartment: i64, resource_type: ResourceType) -> (i64, i64) {
    let first = (compartment << CHART_BITS) + i64::from(type_key(resource_type));
    (first, first + i64::from(LARGEST_OFFSET))
}

/// Returns the first and the last key of the charts of successive compartments.
pub const fn compartment_keys(first: i64, last: i64) -> (i64, i64) {
    (first << CHART_BITS, ((last + 1) << CHART_BITS) - 1)
}

/// Returns the compartment and the type of the chart with this key.
pub fn chart_of(key: i64) -> Option<(i64, ResourceType)> {
    let number = u8::try_from((key >> OFFSET_BITS) & ((1 << TYPE_BITS) - 1)).ok()?;
    Some((key >> CHART_BITS, ResourceType::numbered(number)?))
}

/// The condition that a row `t` of the charts with keys from `?1` to `?2` belongs to a head.
pub const IN_HEADS: &str = "t.k BETWEEN ?1 AND ?2 AND t.k & 524287 >= 524280";

/// Returns whether the row with this key belongs to a head.
pub fn is_of_head(key: i64) -> bool {
    (key & i64::from(LARGEST_OFFSET)) >> PART_BITS == i64::from(HEAD)
}

fn type_key(resource_type: ResourceType) -> u32 {
    u32::from(resource_type.number()) << OFFSET_BITS
}

/// Returns the rows of a chart, each with its offset and its bytes. `None` if the chart is too large.
pub fn rows(PackedChart { head, mut pages }: PackedChart) -> Option<Vec<(i64, Vec<u8>)>> {
    let mut rows = Vec::with_capacity(pages.len() + 1);
    let last = pages.pop().unwrap_or_default();
    let length = u32::try_from(head.len()).ok()?.to_le_bytes();
    add_rows(HEAD, [&length, &*head, &*last].concat(), &mut rows)?;
    for (number, page) in pages.into_iter().enumerate() {
        let number = u16::try_from(number).ok().filter(|number| *number != HEAD)?;
        add_rows(number, page, &mut rows)?;
    }
    Some(rows)
}

fn add_rows(number: u16, bytes: Vec<u8>, rows: &mut Vec<(i64, Vec<u8>)>) -> Option<()> {
    let first = i64::from(number) << PART_BITS;
    if (1..=LARGEST).contains(&bytes.len()) {
        rows.push((first, bytes));
        return Some(());
    }
    let parts = bytes.chunks(LARGEST);
    let count = i64::try_from(parts.len()).ok().filter(|count| *count <= 1 << PART_BITS)?;
    rows.extend(parts.zip((0..count).rev()).map(|(bytes, follow)| (first + follow, bytes.to_vec())));
    Some(())
}

/// Returns the head and pages in rows of a chart: first the head, then the last page. Pages with a missing part are
/// left out. Each row has its offset and its bytes.
///
/// # Errors
/// If the row of the head is damaged.
pub fn parts(mut rows: Vec<(i64, Vec<u8>)>) -> Result<Vec<(ChartPart, Vec<u8>)>, ChartError> {
    rows.sort_unstable_by_key(|(offset, _)| Reverse(*offset));
    let mut found = Vec::new();
    let mut before: Vec<u8> = Vec::new();
    for (offset, bytes) in rows {
        before.extend(bytes);
        if !is_last_part(offset) {
            continue;
        }
        let mut bytes = std::mem::take(&mut before);
        match u16::try_from(offset >> PART_BITS) {
            Ok(number) if number != HEAD => found.push((ChartPart::Page(number), bytes)),
            Ok(_) | Err(_) => {
                let page = bytes.split_off(end_of_head(&bytes).ok_or(ChartError("a head is cut short".to_owned()))?);
                found.extend([(ChartPart::Head, bytes.split_off(LENGTH)), (ChartPart::LastPage, page)]);
            }
        }
    }
    Ok(found)
}

/// Returns whether no part follows the row with this offset, so that the head or page is complete.
#[must_use]
pub const fn is_last_part(offset: i64) -> bool {
    offset & ((1 << PART_BITS) - 1) == 0
}

/// Returns whether the first rows of a chart, the last of which has this offset, end within its head.
pub fn ends_in_head(offset: i64) -> bool {
    offset >> PART_BITS == i64::from(HEAD) && !is_last_part(offset)
}

fn end_of_head(row: &[u8]) -> Option<usize> {
    let end = LENGTH.checked_add(u32::from_le_bytes(*row.first_chunk()?) as usize)?;
    (end <= row.len()).then_some(end)
}

/// Opens the chart of a head and its pages, in the order of [`parts`]. `None` if there are neither.
///
/// # Errors
/// If the head is missing or damaged.
pub fn open_chart(
    resource_type: ResourceType,
    parts: impl IntoIterator<Item = (ChartPart, Vec<u8>)>,
) -> Result<Option<Chart>, ChartError> {
    let mut chart = None;
    for (part, bytes) in parts {
        match (part, &chart) {
            (ChartPart::Head, _) => chart = Some(Chart::open(resource_type, &bytes)?),
            (ChartPart::LastPage, Some(chart)) => chart.put_page(chart.pages().saturating_sub(1), bytes),
            (ChartPart::Page(number), Some(chart)) => chart.put_page(usize::from(number), bytes),
            (ChartPart::LastPage | ChartPart::Page(_), None) => {
                return Err(ChartError("a chart has no head".to_owned()));
            }
        }
    }
    Ok(chart)
}

/// Returns the statement for a chart of a compartment: the version of the compartment, and in descending order the rows
/// of the head and the last page, and of the newest pages before it. If the chart does not exist, or if the version is
/// `known`, there is one row with only the version.
pub fn select_chart(compartment: &str, resource_type: ResourceType, known: Option<i64>, extent: Extent) -> Statement {
    let (first, limit) = match extent {
        Extent::Head => (u32::from(HEAD) << PART_BITS, ROWS_AHEAD),
        Extent::Rows(rows) => (0, rows),
    };
    let mut sql = Sql::new();
    let sql_ref = &mut sql;
    let compartment = sql_ref.bind(compartment);
    write_sql!(
        sql_ref,
        "SELECT p.version, c.k & ",
        LARGEST_OFFSET,
        " AS offset, hex(c.data) AS data FROM compartment p "
    );
    write_sql!(
        sql_ref,
        "LEFT JOIN chart c ON c.k BETWEEN (p.n << ",
        CHART_BITS,
        ") + ",
        type_key(resource_type) + first,
        " AND "
    );
    if let Some(known) = known {
        let known = sql_ref.number(known);
        write_sql!(sql_ref, "CASE p.version WHEN ", known, " THEN 0 ELSE ");
    }
    write_sql!(sql_ref, "(p.n << ", CHART_BITS, ") + ", type_key(resource_type) + LARGEST_OFFSET);
    write_sql!(sql_ref, if known.is_some() { " END" } else { "" }, " WHERE p.id = ", compartment);
    write_sql!(sql_ref, " ORDER BY c.k DESC LIMIT ", limit);
    sql.finish()
}

/// The rows to read of the charts to which names lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocatedRows {
    /// For all charts together to which one name leads, as many rows as [`select_chart`] reads of a single chart.
    Newest,
    /// The heads, each with its last page.
    Heads,
}

impl LocatedRows {
    /// Returns the most rows that the statement returns. If it returns as many, more rows may exist.
    pub const fn most_rows(self) -> usize {
        match self {
            Self::Newest => ROWS_AHEAD,
            Self::Heads => MAX_HEADS,
        }
    }
}

/// Returns the statement for the charts of a type in the compartments to which these names lead. It is [`select_chart`]
/// for each of them, with the compartment's id. If there is no such chart, or if the version is among the `known` ones,
/// there is one row with only the id and the version.
pub fn select_located(names: &[String], resource_type: ResourceType, known: &[i64], read: LocatedRows) -> Statement {
    let mut sql = Sql::new();
    let sql_ref = &mut sql;
    let first = type_key(resource_type);
    let from = if read == LocatedRows::Heads { first + (u32::from(HEAD) << PART_BITS) } else { first };
    write_sql!(sql_ref, "SELECT p.id, p.version, c.k & ", LARGEST_OFFSET, " AS offset, hex(c.data) AS data FROM ");
    let mut hashes = names.iter().map(|name| name_hash(name));
    let hash = if read == LocatedRows::Newest { hashes.next() } else { None };
    if hash.is_some() {
        write_sql!(sql_ref, "locator l");
    } else {
        let hashes = sql_ref.list(hashes.map(|hash| hash.to_string()));
        write_sql!(sql_ref, "(SELECT DISTINCT f.n FROM json_each(", hashes, ") j CROSS JOIN locator f ");
        write_sql!(sql_ref, "WHERE f.hash = CAST(j.value AS INTEGER)) s");
    }
    write_sql!(
        sql_ref,
        " CROSS JOIN compartment p LEFT JOIN chart c ON c.k BETWEEN (p.n << ",
        CHART_BITS,
        ") + ",
        from
    );
    write_sql!(sql_ref, " AND ");
    if !known.is_empty() {
        let known: String = known.iter().flat_map(|version| [",".to_owned(), version.to_string()]).collect();
        let known = sql_ref.bind(&(known + ","));
        write_sql!(sql_ref, "CASE WHEN instr(", known, ", ',' || p.version || ',') THEN 0 ELSE ");
    }
    write_sql!(sql_ref, "(p.n << ", CHART_BITS, ") + ", first + LARGEST_OFFSET);
    write_sql!(sql_ref, if known.is_empty() { "" } else { " END" });
    if let Some(hash) = hash {
        let hash = sql_ref.number(hash);
        write_sql!(sql_ref, " WHERE l.hash = ", hash, " AND p.n = l.n ORDER BY l.n DESC, c.k DESC");
    } else {
        write_sql!(sql_ref, " WHERE p.n = s.n");
    }
    write_sql!(sql_ref, " LIMIT ", read.most_rows());
    sql.finish()
}

/// Returns the statement for the compartments of no single patient with charts of a type, at most `most`.
pub fn select_shared(resource_type: ResourceType, most: usize) -> Statement {
    let first = type_key(resource_type);
    let mut sql = Sql::new();
    write_sql!(&mut sql, "SELECT p.id FROM compartment p WHERE p.id BETWEEN '_' AND '_~' AND p.version <> 0 ");
    write_sql!(&mut sql, "AND EXISTS (SELECT 1 FROM chart c WHERE c.k BETWEEN (p.n << ", CHART_BITS, ") + ", first);
    write_sql!(&mut sql, " AND (p.n << ", CHART_BITS, ") + ", first + LARGEST_OFFSET, ") LIMIT ", most);
    sql.finish()
}

/// Returns the statement for pages of a chart of a compartment with this version. The rows have no order. `pages` are
/// the numbers, each with the bytes to which a page inflates. Rows are looked up by their keys, so that D1 counts one
/// for the compartment and one for each row. A range of keys or a list in `json_each` would count one more.
pub fn select_pages(
    compartment: &str,
    resource_type: ResourceType,
    version: i64,
    pages: &[(usize, usize)],
) -> Statement {
    let keys = pages.iter().flat_map(|(number, length)| {
        let first = (number << PART_BITS) + type_key(resource_type) as usize;
        (0..most_parts(*length)).map(move |follow| first + follow)
    });
    let mut sql = Sql::new();
    let sql_ref = &mut sql;
    let compartment = sql_ref.bind(compartment);
    let version = sql_ref.number(version);
    write_sql!(sql_ref, "SELECT c.k & ", LARGEST_OFFSET, " AS offset, hex(c.data) AS data FROM (VALUES ");
    for (at, key) in keys.enumerate() {
        write_sql!(sql_ref, if at > 0 { "," } else { "" }, "(", key, ")");
    }
    write_sql!(
        sql_ref,
        ") j CROSS JOIN chart c WHERE c.k = ((SELECT p.n FROM compartment p WHERE p.id = ",
        compartment
    );
    write_sql!(sql_ref, " AND p.version = ", version, ") << ", CHART_BITS, ") + j.column1");
    sql.finish()
}

/// Returns the most parts of a page that inflates to so many bytes. Deflating incompressible data adds some bytes.
fn most_parts(length: usize) -> usize {
    (length + length / 100).div_ceil(LARGEST - 1_000).clamp(1, 1 << PART_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_parts_are_inverse() {
        let (small, large) = (vec![1; 10], vec![2; 2 * LARGEST + 5]);
        let chart = PackedChart { head: small.clone(), pages: vec![large.clone(), small.clone()] };
        let mut all = rows(chart).unwrap();
        assert_eq!(all.len(), 4, "the head with the last page, and three parts of the other");
        assert!(all.is_sorted_by(|(a, _), (b, _)| a > b));
        let head = [(ChartPart::Head, small.clone()), (ChartPart::LastPage, small.clone())];
        let page = (ChartPart::Page(0), large.clone());
        assert_eq!(parts(all.clone()).unwrap(), [&head[..], &[page]].concat());
        assert_eq!(parts(all[..3].to_vec()).unwrap(), head, "a page that is cut is left out");
        let large = PackedChart { head: large, pages: vec![small] };
        assert_eq!(rows(large).unwrap().len(), 3);
        assert_eq!(rows(PackedChart { head: vec![0; 9 * LARGEST], pages: Vec::new() }), None);
        all[0].1.truncate(LENGTH + 9);
        assert_eq!(parts(all), Err(ChartError("a head is cut short".to_owned())));
        assert_eq!([0, 90_000, LARGEST, 2 * LARGEST, 100 * LARGEST].map(most_parts), [1, 1, 2, 3, 8]);
    }

    #[test]
    fn the_more_heads_are_read_the_fewer_pages_are() {
        let names = |count: u32| (0..count).map(|at| ChartName::new(&at, ResourceType::Patient)).collect::<Vec<_>>();
        let rows = |charts: u32, heads: u32| match extents(&names(charts), &names(heads)).next() {
            Some((_, Extent::Rows(rows))) => rows,
            _ => 0,
        };
        assert_eq!([0, 1, 2, 3, 12].map(|heads| rows(1, heads)), [8, 6, 3, 2, 2]);
        assert_eq!([0, 10, 20].map(|heads| rows(10, heads)), [8, 6, 3]);
        let all: Vec<_> = extents(&names(1), &names(2)).map(|(_, extent)| extent).collect();
        assert_eq!(all, [Extent::Rows(3), Extent::Head, Extent::Head]);
    }

    #[test]
    fn rows_that_end_within_a_head_are_told_by_their_offset() {
        let chart = PackedChart { head: vec![0; 2 * LARGEST], pages: vec![vec![1]; 2] };
        let all: Vec<_> = rows(chart).unwrap().into_iter().map(|(offset, _)| ends_in_head(offset)).collect();
        assert_eq!(all, [true, true, false, false], "the head has three parts, the last page with the third");
    }

    #[test]
    fn keys_of_a_chart_are_a_range_of_their_own() {
        let (first, last) = chart_keys(7, ResourceType::Observation);
        assert_eq!(chart_of(first), Some((7, ResourceType::Observation)));
        assert_eq!(chart_of(last), Some((7, ResourceType::Observation)));
        assert_ne!(chart_of(last + 1), chart_of(last));
        assert_eq!(chart_keys((1 << 31) - 1, ResourceType::Patient).1 >> CHART_BITS, (1 << 31) - 1);
    }

    #[test]
    fn rows_of_heads_are_told_by_their_keys() {
        assert_eq!((i64::from(LARGEST_OFFSET), i64::from(HEAD) << PART_BITS), (524_287, 524_280), "as `IN_HEADS` says");
        let (first, _) = chart_keys(7, ResourceType::Observation);
        let chart = PackedChart { head: vec![1; 10], pages: vec![vec![1]; 5] };
        let of_head = rows(chart).unwrap().into_iter().filter(|(offset, _)| is_of_head(first + offset));
        assert_eq!(of_head.count(), 1);
    }
}
