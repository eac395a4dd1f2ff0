//! Lowering permitted requests to SQL. The criteria implement FHIR's rules, and the access rules permission.
//!
//! A search consists of a source of candidates in order (`source.rs`), the remaining conditions (`permit.rs`), and a
//! limit. Bodies are read by key, only for the page, and written as entries.

use super::super::encoding::LAST_SORT_KEY;
use super::permit::{RowRef, opens_all, write_clause, write_lookup, write_opened};
use super::source::CandidateSource;
use super::text::{ID_AT, Sql, write_sql};
use crate::join::{DirectoryEnd, most_patients};
use chart::evaluate::AccessLists;
use collections::order::{set_of, sorted};
use database::Statement;
use fhir::{Frame, Id, Reference, ResourceType};
use search::sorting::{BEFORE_ID, split_position};
use search::{Clause, MISSING, Param, Query, SortRule, Subquery, Total};
use smart::{AccessRule, PatientSet, Permitted, is_directory};

/// The owners of a resource `o`: a JSON array, or the id of the one patient.
const OWNER: &str = "coalesce(o.owners, o.patient)";

/// The most candidates of a search of a whole type for the absence or mere presence of a value. No index finds these,
/// so that any number of candidates might be read for one match.
const MAX_SCANNED: usize = 20_000;

/// The most matches that are gathered for an order that rows do not contain.
pub const MAX_GATHERED: usize = 20_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchStatements<'a> {
    /// `sort`, `elements`: all matches, or one more than `MAX_GATHERED`, with the elements that the query sorts by.
    /// This statement exists if rows do not contain the values of the order. Then it is the only one, and
    /// `lower_gathered` returns that of the page. A `sort` of `LAST_SORT_KEY` means the same as a `cut` of the page.
    pub gathered: Option<Statement>,
    /// `position`, `entry`: the matches of the page, and one more if there is one. A row with a `cut` of 1, instead of
    /// further matches, means that there are more candidates than a search may read.
    pub page: Option<Statement>,
    /// The owners of the matches.
    pub owner: RowOwner<'a>,
    /// `total`: the number of matches. A `cut` of 1 means the same as for the page.
    pub count: Option<Statement>,
    /// The includes of the page, with one statement for each followed parameter. `None` if they are followed later.
    pub includes: Option<Vec<IncludeStatement<'a>>>,
}

/// The resources that one parameter includes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncludeStatement<'a> {
    /// `entry`: null if the grant does not open the resource.
    pub statement: Statement,
    /// The owners of the resources.
    pub owner: RowOwner<'a>,
}

/// The owners of the rows of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowOwner<'a> {
    /// There are none, because the rows are outside every compartment.
    None,
    /// The patient, according to the query or the grant.
    Patient(&'a Id),
    /// The patients whose ids are in the column `owner`.
    Column,
}

impl<'a> RowOwner<'a> {
    /// Returns the owners of resources of a type that these access rules open.
    fn of(resource_type: ResourceType, rules: &'a [AccessRule]) -> Self {
        if is_directory(resource_type) {
            return Self::None;
        }
        // All patient scopes are for the patient of the token.
        match rules {
            [AccessRule { patients: PatientSet::One(patient), .. }, others @ ..]
                if others.iter().all(|other| matches!(other.patients, PatientSet::One(_))) =>
            {
                Self::Patient(patient)
            }
            _ => Self::Column,
        }
    }
}

/// Lowers a search of a type that has rows. The URLs of entries begin with `base`, and the page begins after the
/// position `after`. Includes are lowered if the table `link` has all their references. The page has the columns for
/// following the other includes.
pub fn lower<'a>(
    permitted: &'a Permitted<Query>,
    access_lists: &'a AccessLists,
    base: &'a str,
    after: Option<&'a str>,
) -> SearchStatements<'a> {
    let query = permitted.request();
    let source = CandidateSource::of(permitted);
    let search = Search { permitted, query, source, access_lists, base, after, is_gathered: false };
    let (keys, _) = query.sort_keys();
    let (paged, counted) = (!query.count_only, query.count_only || query.total == Total::Accurate);
    // Rows only have codes of times.
    if paged && keys.iter().any(|rule| !rule.param.kind.is_date()) {
        let owner = RowOwner::of(query.resource_type, permitted.rules());
        let params: Vec<_> = keys.iter().map(|rule| rule.param).collect();
        let gathered = Some(search.gather(&params, MAX_GATHERED));
        return SearchStatements { gathered, page: None, owner, count: None, includes: None };
    }
    SearchStatements { count: if counted { Some(search.count()) } else { None }, ..search.lower_page(paged) }
}

/// Returns the statements for the page of a search with these matches in this order: the rest of the gathered ones. The
/// statements check the matches again, because they may have changed in the meantime.
pub fn lower_gathered<'a>(
    permitted: &'a Permitted<Query>,
    access_lists: &'a AccessLists,
    base: &'a str,
    ids: Vec<String>,
) -> SearchStatements<'a> {
    let (query, source) = (permitted.request(), CandidateSource::of_ids(permitted, ids));
    let search = Search { permitted, query, source, access_lists, base, after: None, is_gathered: true };
    search.lower_page(true)
}

/// Lowers the clauses of a search of a type that has rows to a statement for `patient`: the patients in whose records
/// matches are, without duplicates, and at most one more than the joins may read.
pub fn lower_patients(permitted: &Permitted<Query>, access_lists: &AccessLists) -> Statement {
    let search = Search::of_all(permitted, access_lists);
    let mut sql = Sql::new();
    write_sql!(&mut sql, "SELECT DISTINCT d.patient FROM (SELECT ");
    search.write_owner("o.patient", &mut sql);
    write_sql!(&mut sql, " AS patient FROM (");
    search.write_hits(None, &mut sql);
    write_sql!(&mut sql, ") h) d WHERE d.patient IS NOT NULL LIMIT ", most_patients(permitted) + 1);
    sql.finish()
}

/// Lowers the clauses of a search of a type that has rows to a statement for `sort`: all matches, or one more than
/// `most`. If there are parameters, a column has the elements that they read.
pub fn lower_found(
    permitted: &Permitted<Query>,
    access_lists: &AccessLists,
    params: &[&'static Param],
    most: usize,
) -> Statement {
    Search::of_all(permitted, access_lists).gather(params, most)
}

/// Lowers an end of a join in the directory to a statement for `id`: the ids of the resources that satisfy it and also
/// the clauses that replace its joins.
pub fn lower_end(end: &DirectoryEnd<'_>, of_joins: &[Clause], access_lists: &AccessLists) -> Statement {
    let Subquery { resource_type, all, .. } = end.inner.request();
    let mut sql = Sql::new();
    let ids = sql.list(end.targets.iter().map(|target| target.id.as_str()));
    write_sql!(&mut sql, "SELECT r.id FROM json_each(", ids, ") j CROSS JOIN resource r ");
    write_sql!(&mut sql, "WHERE r.type = '", *resource_type, "' AND r.id = j.value");
    for clause in all.iter().chain(of_joins) {
        write_sql!(&mut sql, " AND ");
        write_clause(clause, RowRef::Resource, &mut sql);
    }
    write_and_opened(end.inner.rules(), access_lists, *resource_type, &mut sql);
    sql.finish()
}

/// Lowers a read by id to a statement for `entry`, `version` and `modified`, with the owner of the resource.
pub fn lower_read<'a>(permitted: &'a Permitted<Reference>, access_lists: &AccessLists) -> (Statement, RowOwner<'a>) {
    let mut sql = Sql::new();
    let Reference { resource_type, id } = permitted.request();
    let owner = if *resource_type == ResourceType::Patient {
        RowOwner::Patient(id)
    } else {
        RowOwner::of(*resource_type, permitted.rules())
    };
    let id = sql.bind(id.as_str());
    write_sql!(&mut sql, "SELECT r.body AS entry, r.version, r.modified");
    if owner == RowOwner::Column {
        write_sql!(&mut sql, ", coalesce(r.owners, r.patient) AS owner");
    }
    write_sql!(&mut sql, " FROM resource r WHERE r.type = '", *resource_type, "' AND r.id = ", id);
    write_and_opened(permitted.rules(), access_lists, *resource_type, &mut sql);
    (sql.finish(), owner)
}

/// Writes the elements of the resource `r` that parameters read, as an object, or null if the text is damaged.
pub(super) fn write_elements(params: &[&'static Param], sql: &mut Sql) {
    write_sql!(sql, "CASE WHEN json_valid(r.body) THEN json_object(");
    let mut comma = "";
    for name in set_of(params.iter().flat_map(|param| param.top_elements())) {
        let (name, path) = (sql.bind(name), sql.bind(&format!("$.{name}")));
        write_sql!(sql, comma, name, ", r.body -> ", path);
        comma = ", ";
    }
    write_sql!(sql, ") END");
}

/// Returns the includes whose references are in the table `link`: the parameters, each with the requested and open
/// types of targets, in the order of these types. `None` if a search also has other includes.
fn linked(permitted: &Permitted<Query>) -> Option<Vec<(&'static Param, Vec<ResourceType>)>> {
    let mut all: Vec<(&'static Param, Vec<ResourceType>)> = Vec::new();
    for include in permitted.includes() {
        let param = include.param.filter(|param| param.base == permitted.request().resource_type)?;
        let mut types: Vec<_> = include.added_types(param.base).into_iter().collect();
        if include.iterates || include.is_reverse || !types.iter().all(|to| param.included.contains(to)) {
            return None;
        }
        types.retain(|to| permitted.rules_of_included(*to).is_some());
        match all.iter_mut().find(|(known, _)| *known == param) {
            Some((_, known)) => {
                types.retain(|to| !known.contains(to));
                known.append(&mut types);
            }
            None => all.push((param, types)),
        }
    }
    all.retain(|(_, types)| !types.is_empty());
    Some(sorted(all, &|(_, a), (_, b)| a.iter().min().cmp(&b.iter().min())))
}

/// Appends the condition that the rules open the resource `r`.
pub(super) fn write_and_opened(
    rules: &[AccessRule],
    access_lists: &AccessLists,
    resource_type: ResourceType,
    sql: &mut Sql,
) {
    if !opens_all(rules, access_lists) {
        write_sql!(sql, " AND ");
        write_opened(rules, access_lists, resource_type, RowRef::Resource, sql);
    }
}

/// Writes the resource `r` as an entry.
pub(super) fn write_framed(frame: &Frame, sql: &mut Sql) {
    let (open, middle, close) = (sql.bind(&frame.open), sql.bind(frame.middle), sql.bind(frame.close));
    write_sql!(sql, open, " || r.id || ", middle, " || r.body || ", close);
}

struct Search<'a> {
    permitted: &'a Permitted<Query>,
    query: &'a Query,
    source: CandidateSource<'a>,
    access_lists: &'a AccessLists,
    base: &'a str,
    after: Option<&'a str>,
    /// True if the source consists of the matches of the page, in order.
    is_gathered: bool,
}

/// A condition on candidates that the source does not imply.
enum Condition<'a> {
    /// A clause that the source does not imply.
    Clause(&'a Clause),
    /// At least one of the clauses of `Query::any_of`.
    AnyOf,
    /// At least one of the access rules opens the row.
    Opened,
    /// The sort key is after this one.
    After(&'a str),
}

impl<'a> Search<'a> {
    /// Returns the search for all matches without entries.
    fn of_all(permitted: &'a Permitted<Query>, access_lists: &'a AccessLists) -> Self {
        let (query, source) = (permitted.request(), CandidateSource::of(permitted));
        Self { permitted, query, source, access_lists, base: "", after: None, is_gathered: false }
    }

    /// Returns the statements for the page, if it is requested, and for its includes.
    fn lower_page(&self, paged: bool) -> SearchStatements<'a> {
        let owner = RowOwner::of(self.query.resource_type, self.permitted.rules());
        let (mut page, mut includes) = (None, None);
        if paged {
            let linked = linked(self.permitted);
            page = Some(self.page(owner, linked.is_none()));
            includes = linked.map(|all| all.iter().map(|(param, types)| self.lower_include(param, types)).collect());
        }
        SearchStatements { gathered: None, page, owner, count: None, includes }
    }

    /// Returns the statement for all matches, or for one more than `most`. If there are parameters, a column has the
    /// elements that they read.
    fn gather(&self, params: &[&'static Param], most: usize) -> Statement {
        let mut sql = Sql::new();
        write_sql!(&mut sql, "SELECT m.sort");
        if !params.is_empty() {
            write_sql!(&mut sql, ", (SELECT ");
            write_elements(params, &mut sql);
            write_sql!(&mut sql, " FROM resource r WHERE r.type = '", self.query.resource_type);
            write_sql!(&mut sql, "' AND r.id = substr(m.sort, ", ID_AT, ")) AS elements");
        }
        write_sql!(&mut sql, " FROM (");
        self.write_hits(None, &mut sql);
        write_sql!(&mut sql, ") m LIMIT ", most + 1);
        sql.finish()
    }

    /// Returns the statement for the page. If it `is_followed`, it also has the columns for following includes: `id`,
    /// `patient`, and `elements`.
    fn page(&self, owner: RowOwner<'_>, is_followed: bool) -> Statement {
        let mut sql = Sql::new();
        let is_sorted = !self.query.sort.is_empty() && !self.is_gathered;
        let position = if is_sorted { "h.position" } else { "h.sort AS position" };
        write_sql!(&mut sql, "SELECT ", position, ", (SELECT ");
        write_framed(&self.query.frame(self.base), &mut sql);
        write_sql!(&mut sql, " FROM resource r WHERE r.type = '", self.query.resource_type);
        write_sql!(&mut sql, "' AND r.id = substr(h.sort, ", ID_AT, ")) AS entry");
        if self.is_scan() {
            write_sql!(&mut sql, ", h.sort = '", LAST_SORT_KEY, "' AS cut");
        }
        if owner == RowOwner::Column {
            write_sql!(&mut sql, ", ");
            self.write_owner(OWNER, &mut sql);
            write_sql!(&mut sql, " AS owner");
        }
        if is_followed {
            write_sql!(&mut sql, ", substr(h.sort, ", ID_AT, ") AS id, ");
            self.write_owner("o.patient", &mut sql);
            write_sql!(&mut sql, " AS patient");
            let followed = self.permitted.followed(self.query.resource_type);
            if !followed.is_empty() {
                write_sql!(&mut sql, ", (SELECT ");
                write_elements(&followed, &mut sql);
                write_sql!(&mut sql, " FROM resource r WHERE r.type = '", self.query.resource_type);
                write_sql!(&mut sql, "' AND r.id = substr(h.sort, ", ID_AT, ")) AS elements");
            }
        }
        write_sql!(&mut sql, " FROM (");
        self.write_page_keys(self.query.count + 1, &mut sql);
        write_sql!(&mut sql, ") h");
        sql.finish()
    }

    /// Writes the owner of the match `h`, which is in a column of its resource. A Patient belongs to itself.
    fn write_owner(&self, column: &str, sql: &mut Sql) {
        if self.query.resource_type == ResourceType::Patient {
            write_sql!(sql, "substr(h.sort, ", ID_AT, ")");
        } else {
            write_lookup(column, "h", self.query.resource_type, sql);
        }
    }

    fn count(&self) -> Statement {
        let mut sql = Sql::new();
        write_sql!(&mut sql, "SELECT count(*) AS total");
        if self.is_scan() {
            write_sql!(&mut sql, ", max(sort) = '", LAST_SORT_KEY, "' AS cut");
        }
        write_sql!(&mut sql, " FROM (");
        self.write_hits(None, &mut sql);
        write_sql!(&mut sql, ")");
        sql.finish()
    }

    /// Returns the statement for the resources that one parameter includes, once each, in the order of references.
    fn lower_include(&self, param: &'static Param, types: &[ResourceType]) -> IncludeStatement<'a> {
        let mut owner = None;
        for resource_type in types {
            let own = RowOwner::of(*resource_type, self.rules_of_included(*resource_type));
            owner = Some(if owner.is_none_or(|other| other == own) { own } else { RowOwner::Column });
        }
        let owner = owner.unwrap_or(RowOwner::None);
        let mut sql = Sql::new();
        write_sql!(&mut sql, "SELECT CASE substr(i.target, 1, instr(i.target, '/') - 1)");
        // A closed resource is null. A nested SELECT by key reads one row; a join would read two.
        for resource_type in types.iter().copied() {
            let rules = self.rules_of_included(resource_type);
            write_sql!(&mut sql, " WHEN '", resource_type, "' THEN (SELECT ");
            write_framed(&Frame::included(self.base, resource_type), &mut sql);
            write_sql!(&mut sql, " FROM resource r WHERE r.type = '", resource_type);
            write_sql!(&mut sql, "' AND r.id = substr(i.target, ", resource_type.name().len() + 2, ")");
            write_and_opened(rules, self.access_lists, resource_type, &mut sql);
            write_sql!(&mut sql, ")");
        }
        write_sql!(&mut sql, " END AS entry");
        if owner == RowOwner::Column {
            write_sql!(&mut sql, ", (SELECT ", OWNER, " FROM resource o ");
            write_sql!(&mut sql, "WHERE o.type = substr(i.target, 1, instr(i.target, '/') - 1) ");
            write_sql!(&mut sql, "AND o.id = substr(i.target, instr(i.target, '/') + 1)) AS owner");
        }
        write_sql!(&mut sql, " FROM (SELECT DISTINCT l.target FROM (");
        // The matches of the page, without the extra match that shows whether there are more.
        self.write_page_keys(self.query.count, &mut sql);
        write_sql!(&mut sql, ") h CROSS JOIN link l WHERE l.id = substr(h.sort, ", ID_AT, ")");
        write_sql!(&mut sql, " AND l.param = ", param.id);
        write_sql!(&mut sql, ") i ORDER BY i.target");
        IncludeStatement { statement: sql.finish(), owner }
    }

    fn rules_of_included(&self, resource_type: ResourceType) -> &'a [AccessRule] {
        self.permitted.rules_of_included(resource_type).unwrap_or_default()
    }

    /// Writes the sort keys of at most `limit` matches after the position `after`, in order; with `_sort`, also their
    /// positions. SQLite removes duplicates and sorts in one step if there is only one column.
    fn write_page_keys(&self, limit: usize, sql: &mut Sql) {
        if self.is_gathered {
            self.write_hits(None, sql);
            return write_sql!(sql, " ORDER BY s.key");
        }
        if !self.query.sort.is_empty() {
            return self.write_sorted(limit, sql);
        }
        self.write_hits(self.after, sql);
        write_sql!(sql, if self.source.is_ordered() { "" } else { " ORDER BY s.sort" }, " LIMIT ", limit);
    }

    /// Writes the position and the sort key of matches in an order of times. All matches are gathered and sorted.
    fn write_sorted(&self, limit: usize, sql: &mut Sql) {
        let (keys, descending) = self.query.sort_keys();
        write_sql!(sql, "SELECT p.codes || '", BEFORE_ID, "' || p.id AS position, p.sort FROM (SELECT ");
        let mut joined = "";
        for rule in keys {
            write_sql!(sql, joined);
            self.write_sort_code(rule, sql);
            joined = " || ";
        }
        write_sql!(sql, if joined.is_empty() { "''" } else { "" });
        write_sql!(sql, " AS codes, substr(m.sort, ", ID_AT, ") AS id, m.sort FROM (");
        self.write_hits(None, sql);
        write_sql!(sql, ") m) p");
        if let Some(after) = self.after {
            let (codes, id) = split_position(after);
            let (codes, id) = (sql.bind(codes), sql.bind(id));
            write_sql!(sql, " WHERE ");
            if self.is_scan() {
                write_sql!(sql, "p.sort = '", LAST_SORT_KEY, "' OR ");
            }
            write_sql!(sql, "p.codes > ", codes, " OR (p.codes = ", codes, " AND p.id ");
            write_sql!(sql, if descending { "< " } else { "> " }, id, ")");
        }
        write_sql!(sql, " ORDER BY ");
        if self.is_scan() {
            write_sql!(sql, "p.sort <> '", LAST_SORT_KEY, "', ");
        }
        write_sql!(sql, "p.codes, p.id", if descending { " DESC" } else { "" }, " LIMIT ", limit);
    }

    fn write_sort_code(&self, rule: SortRule, sql: &mut Sql) {
        // The code of a Period without a start is after those of its start and its end.
        let path = |before: u8| format!("$.\"{}\"[{}]", rule.param.id.number(), before + u8::from(rule.descending));
        let (of_start, of_end) = (sql.bind(&path(0)), sql.bind(&path(3)));
        write_sql!(sql, "coalesce((SELECT coalesce(r.params ->> ", of_end, ", r.params ->> ", of_start);
        write_sql!(sql, ") FROM resource r WHERE r.type = '", self.query.resource_type);
        write_sql!(sql, "' AND r.id = substr(m.sort, ", ID_AT, ")), '", MISSING, "')");
    }

    /// Returns whether the search may read very many candidates of a directory type without a match. Searches of
    /// records name a patient, or have an identifying clause, so that they have few candidates.
    fn is_scan(&self) -> bool {
        let is_about_absence = |clause: &Clause| clause.negated || clause.also.is_some();
        let is_in_directory = is_directory(self.query.resource_type) && self.source.is_ordered();
        is_in_directory && self.query.all.iter().any(is_about_absence)
    }

    /// Writes a SELECT of the sort keys of the matches, in the order of the source. A scan ends with [`LAST_SORT_KEY`]
    /// if there are more candidates than it may read. Finding that out reads them again, but only if an outer limit has
    /// not been reached.
    fn write_hits(&self, after: Option<&str>, sql: &mut Sql) {
        let is_scan = self.is_scan();
        write_sql!(sql, "SELECT DISTINCT s.sort FROM (");
        if is_scan {
            write_sql!(sql, "SELECT sort FROM (");
        }
        self.source.write(after, sql);
        if is_scan {
            write_sql!(sql, ") LIMIT ", MAX_SCANNED);
        }
        write_sql!(sql, ") s");
        self.write_conditions(after, sql);
        if is_scan {
            write_sql!(sql, " UNION ALL SELECT e.sort FROM (SELECT '", LAST_SORT_KEY, "' AS sort FROM (");
            self.source.write(after, sql);
            write_sql!(sql, ") LIMIT 1 OFFSET ", MAX_SCANNED, ") e");
        }
    }

    /// Writes ` WHERE <conditions>` on a candidate `s`, if there are any.
    fn write_conditions(&self, after: Option<&str>, sql: &mut Sql) {
        let conditions = self.conditions(after);
        if conditions.is_empty() {
            return;
        }
        write_sql!(sql, " WHERE ");
        let row = self.row("s");
        sql.join(&conditions, "AND", &mut |sql, condition| match condition {
            Condition::Clause(clause) => write_clause(clause, row, sql),
            Condition::AnyOf => {
                sql.join(&self.query.any_of, "OR", &mut |sql, clause| write_clause(clause, row, sql));
            }
            Condition::Opened => {
                write_opened(self.permitted.rules(), self.access_lists, self.query.resource_type, row, sql);
            }
            Condition::After(after) => {
                let after = sql.bind(after);
                write_sql!(sql, "s.sort > ", after);
            }
        });
    }

    fn conditions<'c>(&'c self, after: Option<&'c str>) -> Vec<Condition<'c>> {
        let mut conditions = Vec::new();
        if let Some(after) = after.filter(|_| !self.source.is_ordered()) {
            conditions.push(Condition::After(after));
        }
        let clauses = self.query.all.iter().enumerate().filter(|(at, _)| !self.source.answers(*at));
        conditions.extend(clauses.map(|(_, clause)| Condition::Clause(clause)));
        if !self.query.any_of.is_empty() {
            conditions.push(Condition::AnyOf);
        }
        if !opens_all(self.permitted.rules(), self.access_lists) {
            conditions.push(Condition::Opened);
        }
        conditions
    }

    /// Returns a candidate of the search, given its name in SQL.
    fn row(&self, name: &'static str) -> RowRef {
        RowRef::Candidate { name, resource_type: self.query.resource_type }
    }
}
