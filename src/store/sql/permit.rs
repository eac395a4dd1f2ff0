//! Conditions on one place or resource: that it satisfies a clause, and that a grant opens it.

use super::super::spell::{Range, exact, ranges};
use super::source::{IN_LISTED, MAX_WRITTEN, in_window, listed};
use super::text::{Binds, ID_AT, joined};
use crate::fhir::{Id, ResourceType, json};
use crate::search::{Clause, Kind, Slot};
use crate::smart::{Opening, Reach, is_directory};

/// What SQL calls the parts of a place or a resource.
#[derive(Debug, Clone)]
pub struct Row {
    /// The lane of its facts.
    pub lane: String,
    /// Its rank.
    pub rank: String,
    /// The patients that it belongs to, where they are several: a JSON array, or null.
    pub owners: String,
}

impl Row {
    /// A row `r` of the table of resources.
    pub fn resource() -> Self {
        Self { lane: "r.patient".into(), rank: "r.rank".into(), owners: "r.owners".into() }
    }

    /// A place of that name, of a resource of that type.
    pub fn place(name: &str, lane: String, kind: ResourceType) -> Self {
        let owners = format!(
            "(SELECT o.owners FROM resource o WHERE o.type = '{kind}' AND o.id = substr({name}.rank, {ID_AT}))"
        );
        Self { lane, rank: format!("{name}.rank"), owners }
    }
}

/// The condition that a row satisfies a clause: that there is a fact for it.
pub fn satisfies(clause: &Clause, row: &Row, kind: ResourceType, binds: &mut Binds) -> String {
    let Row { lane, rank, .. } = row;
    if clause.param.kind == Kind::Id {
        let ids: Vec<_> = clause.any.iter().filter_map(exact).collect();
        let ids = binds.bind(&json(&ids));
        return format!("substr({rank}, {ID_AT}) IN (SELECT value FROM json_each({ids}))");
    }
    let mut from = "fact f".to_owned();
    let (slot, values) = if clause.param.clinical {
        (Slot::everything(kind), in_window(clause, "f", binds))
    } else {
        let exact: Option<Vec<_>> = clause.any.iter().map(exact).collect();
        let condition = match exact.as_deref() {
            Some([value]) => format!("f.value = {}", binds.bind(value)),
            Some(values) => {
                let values = binds.bind(&json(values));
                format!("f.value IN (SELECT value FROM json_each({values}))")
            }
            None => {
                let all: Vec<_> = clause.any.iter().flat_map(|criterion| ranges(criterion, "")).collect();
                if all.len() <= MAX_WRITTEN {
                    joined(all.iter().map(|range| within(range, binds)).collect(), "OR")
                } else {
                    let list: Vec<_> = all.iter().map(|range| listed("", range)).collect();
                    from = format!("json_each({}) j CROSS JOIN fact f", binds.bind(&json(&list)));
                    IN_LISTED.to_owned()
                }
            }
        };
        (clause.param.slot, condition)
    };
    format!(
        "EXISTS (SELECT 1 FROM {from} WHERE f.lane = {lane} AND f.slot = {} AND {values} AND f.rank = {rank})",
        slot.number()
    )
}

fn within(range: &Range, binds: &mut Binds) -> String {
    let mut all =
        vec![format!("f.value >= {}", binds.bind(&range.from)), format!("f.value < {}", binds.bind(&range.until))];
    all.extend(range.after.map(|time| format!("f.till > {}", binds.number(time))));
    all.extend(range.by.map(|time| format!("f.till <= {}", binds.number(time))));
    all.extend(range.part.as_deref().map(|part| format!("instr(f.value, {}) > 0", binds.bind(part))));
    format!("({})", all.join(" AND "))
}

/// The condition that one of the openings opens the row; none where all of it is opened. `sole` is the one patient whom
/// all rows belong to, where that is known.
pub fn opened(
    openings: &[Opening],
    kind: ResourceType,
    row: &Row,
    sole: Option<&str>,
    binds: &mut Binds,
) -> Option<String> {
    let is_sole = |patient: &Id| sole == Some(patient.as_str());
    let whole = |opening: &Opening| {
        opening.only.is_empty()
            && match &opening.reach {
                Reach::All => true,
                Reach::One(patient) => is_sole(patient),
                Reach::Roster(_) => false,
            }
    };
    // Looked for first: what was bound for the others would be bound for nothing, which D1 refuses.
    if openings.iter().any(whole) {
        return None;
    }
    let mut any = Vec::new();
    for Opening { reach, only } in openings {
        let mut all = Vec::new();
        match reach {
            Reach::All => {}
            Reach::One(patient) if is_sole(patient) => {}
            Reach::One(patient) => all.push(format!("{} = {}", owner(row, sole, binds), binds.bind(patient.as_str()))),
            Reach::Roster(user) => all.push(on_roster(user, row, sole, binds)),
        }
        all.extend(only.iter().map(|clause| satisfies(clause, row, kind, binds)));
        any.push(format!("({})", all.join(" AND ")));
    }
    debug_assert!(!is_directory(kind) || openings.iter().all(|opening| opening.reach == Reach::All));
    Some(if any.is_empty() { "0".to_owned() } else { joined(any, "OR") })
}

/// The one patient that the row belongs to. The long lane of a patient is that patient's too.
fn owner(row: &Row, sole: Option<&str>, binds: &mut Binds) -> String {
    sole.map_or_else(|| format!("rtrim({}, '~')", row.lane), |patient| binds.bind(patient))
}

/// That a user may see the row: as one who may see all, or as one who may see each patient that it belongs to.
fn on_roster(user: &str, row: &Row, sole: Option<&str>, binds: &mut Binds) -> String {
    let patient = owner(row, sole, binds);
    let user = binds.bind(user);
    let listed =
        format!("EXISTS (SELECT 1 FROM access a WHERE a.user = {user} AND a.patient IN ('*', nullif({patient}, '')))");
    if sole.is_some() {
        return listed;
    }
    let owners = &row.owners;
    format!(
        "({listed} OR ({owners} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM json_each({owners}) o WHERE NOT EXISTS \
         (SELECT 1 FROM access a WHERE a.user = {user} AND a.patient = o.value))))"
    )
}
