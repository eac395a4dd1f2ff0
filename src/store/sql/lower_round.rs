//! Lowering the rounds in which includes are followed: statements for the resources of types with rows.

use super::lower::{write_and_opened, write_elements, write_framed};
use super::text::{ID_AT, Sql, write_sql};
use crate::rounds::Round;
use crate::search_plan::Search;
use database::Statement;
use fhir::{Frame, Reference, ResourceType};
use search::Param;
use smart::is_directory;

/// A statement for resources of a type that includes add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundStatements {
    pub resource_type: ResourceType,
    /// The parameters of the references that are followed from the resources.
    pub followed: Vec<&'static Param>,
    /// `id`, `entry`, in the order of ids; `patient` and `owner`, unless the type is in no compartment; and `elements`
    /// for the followed parameters.
    pub statement: Statement,
}

/// Lowers a round of includes to statements for the resources that it seeks, at most `most` for each.
pub fn lower_round(search: &Search<'_>, round: &Round, most: usize) -> Vec<RoundStatements> {
    let mut lowered = Vec::new();
    let targets: Vec<&Reference> = round.targets.keys().collect();
    for of_type in targets.chunk_by(|a, b| a.resource_type == b.resource_type) {
        let Some(resource_type) = of_type.first().map(|target| target.resource_type) else { continue };
        lowered.extend(lower_round_of(search, resource_type, most, &mut |sql| {
            write_sql!(sql, "resource r WHERE r.type = '", resource_type, "' AND r.id IN (");
            write_binds(of_type.iter().map(|target| target.id.as_str()), sql);
            write_sql!(sql, ")");
        }));
    }
    for (param, targets) in &round.referring {
        lowered.extend(lower_round_of(search, param.base, most, &mut |sql| {
            write_sql!(
                sql,
                "(SELECT DISTINCT substr(f.sort, ",
                ID_AT,
                ") AS id FROM fact f WHERE f.param = ",
                param.id
            );
            write_sql!(sql, " AND f.value IN (");
            write_binds(targets.iter().map(|(target, _)| target.to_string()), sql);
            write_sql!(sql, ")) i CROSS JOIN resource r WHERE r.type = '", param.base, "' AND r.id = i.id");
        }));
    }
    lowered
}

/// Lowers one statement of a round. `write_source` writes the resources `r` that may be open.
fn lower_round_of(
    search: &Search<'_>,
    resource_type: ResourceType,
    most: usize,
    write_source: &mut dyn FnMut(&mut Sql),
) -> Option<RoundStatements> {
    let rules = search.permitted.rules_of_included(resource_type)?;
    let followed = search.permitted.followed(resource_type);
    let mut sql = Sql::new();
    write_sql!(&mut sql, "SELECT r.id, ");
    write_framed(&Frame::included(search.base, resource_type), &mut sql);
    write_sql!(&mut sql, " AS entry");
    if !is_directory(resource_type) {
        write_sql!(&mut sql, ", r.patient, coalesce(r.owners, r.patient) AS owner");
    }
    if !followed.is_empty() {
        write_sql!(&mut sql, ", ");
        write_elements(&followed, &mut sql);
        write_sql!(&mut sql, " AS elements");
    }
    write_sql!(&mut sql, " FROM ");
    write_source(&mut sql);
    write_and_opened(rules, search.access_lists, resource_type, &mut sql);
    write_sql!(&mut sql, " ORDER BY r.id LIMIT ", most);
    Some(RoundStatements { resource_type, followed, statement: sql.finish() })
}

/// Writes the values, each as a bind, separated by commas.
fn write_binds<T: AsRef<str>>(values: impl Iterator<Item = T>, sql: &mut Sql) {
    let mut comma = "";
    for value in values {
        let value = sql.bind(value.as_ref());
        write_sql!(sql, comma, value);
        comma = ", ";
    }
}
