//! The form of the tables in `src/tables/`: lines of columns with a tab between them. A line that begins with `#` is
//! about the table.

use std::collections::BTreeMap;

/// The lines of a table, without those about it.
pub(crate) fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#'))
}

/// The first columns of a line. One that the line does not have is empty.
pub(crate) fn columns<const N: usize>(line: &'static str) -> [&'static str; N] {
    let mut columns = line.split('\t');
    std::array::from_fn(|_| columns.next().unwrap_or_default())
}

/// The words of a column.
pub(crate) fn words(column: &'static str) -> impl Iterator<Item = &'static str> {
    column.split(' ').filter(|word| !word.is_empty())
}

/// The lines about each type, by its name.
pub(crate) type Blocks = BTreeMap<&'static str, Vec<&'static str>>;

/// Reads a table in which the lines about a type are below its name, which is a line of one column.
pub(crate) fn blocks(table: &'static str) -> Blocks {
    let (mut blocks, mut on) = (Blocks::new(), "");
    for line in lines(table) {
        if line.contains('\t') {
            blocks.entry(on).or_default().push(line);
        } else {
            on = line;
        }
    }
    blocks
}
