//! The form of the tables of FHIR and of search: lines of columns with a tab between them. A line that begins with
//! `#` is about the table.

/// The lines of a table, without those about it.
pub fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#'))
}

/// The columns of a line, as many as the widest table has. A column that the line does not have is empty.
pub fn columns(line: &'static str) -> [&'static str; 7] {
    let mut columns = line.split('\t');
    std::array::from_fn(|_| columns.next().unwrap_or_default())
}

/// The words of a column.
pub fn words(column: &'static str) -> impl Iterator<Item = &'static str> {
    column.split(' ').filter(|word| !word.is_empty())
}

/// A table in which the lines about a type are below its name, which is a line of one column.
#[derive(Debug)]
pub struct Blocks(Vec<(&'static str, Vec<[&'static str; 7]>)>);

impl Blocks {
    /// Reads a table.
    pub fn read(table: &'static str) -> Self {
        let (mut blocks, mut on, mut block) = (Vec::new(), "", Vec::new());
        for line in lines(table) {
            if line.contains('\t') {
                block.push(columns(line));
            } else {
                blocks.push((on, std::mem::take(&mut block)));
                on = line;
            }
        }
        blocks.push((on, block));
        Self(blocks)
    }

    /// The columns of the lines about a type.
    pub fn about(&self, on: &str) -> &[[&'static str; 7]] {
        self.0.iter().find(|(name, _)| *name == on).map_or(&[], |(_, lines)| lines)
    }

    /// Each type, and the columns of a line about it.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, [&'static str; 7])> {
        self.0.iter().flat_map(|(on, lines)| lines.iter().map(move |line| (*on, *line)))
    }
}
