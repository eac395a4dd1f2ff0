//! The format of the tables of `fhir` and `search`: lines of tab-separated columns. Lines that begin with `#` are
//! comments.

/// The columns of a line.
pub type Columns = [&'static str; 7];

/// Returns the lines of a table, without comments.
pub fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#'))
}

/// Returns the columns of a line, as many as the widest table has. Missing columns are empty.
pub fn columns(line: &'static str) -> Columns {
    let mut columns = line.split('\t');
    std::array::from_fn(|_| columns.next().unwrap_or_default())
}

/// Returns the words of a column.
pub fn words(column: &'static str) -> impl Iterator<Item = &'static str> {
    column.split(' ').filter(|word| !word.is_empty())
}

/// A table in which the lines about a type follow its name, which is a line of one column.
#[derive(Debug)]
pub struct Blocks(Vec<(&'static str, Vec<Columns>)>);

impl Blocks {
    /// Parses a table.
    pub fn read(table: &'static str) -> Self {
        let (mut blocks, mut resource_type, mut block) = (Vec::new(), "", Vec::new());
        for line in lines(table) {
            if line.contains('\t') {
                block.push(columns(line));
            } else {
                blocks.push((resource_type, std::mem::take(&mut block)));
                resource_type = line;
            }
        }
        blocks.push((resource_type, block));
        Self(blocks)
    }

    /// Returns the columns of the lines about a type.
    pub fn about(&self, resource_type: &str) -> &[Columns] {
        self.0.iter().find(|(name, _)| *name == resource_type).map_or(&[], |(_, lines)| lines)
    }

    /// Returns each type with the columns of each line about it.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, Columns)> {
        self.0.iter().flat_map(|(resource_type, lines)| lines.iter().map(move |line| (*resource_type, *line)))
    }
}
