//! The choice between charts and rows for an answer, and the first statements of answers from charts, which
//! explanations show.

use super::chart_table::{extents, select_chart, select_located};
use super::charts::select_compartments;
use super::located::located_rows;
use crate::access_lists::reach_all;
use crate::chart_source::ChartQuery;
use crate::names::has_own_rows;
use crate::search_charts::{FirstCharts, sole_patients};
use chart::ChartName;
use chart::evaluate::AccessLists;
use database::Statement;
use fhir::{Reference, ResourceType};
use search::Query;
use smart::{AccessRule, Permitted, is_directory};

/// Returns whether a search or a read of a type is answered from charts: if it concerns given patients, or if the type
/// has no rows of its own.
#[must_use]
pub fn answers_from_charts(resource_type: ResourceType, has_patients: bool) -> bool {
    !is_directory(resource_type) && (has_patients || !has_own_rows(resource_type))
}

/// Returns the first statements of a search of charts.
pub fn chart_statements(permitted: &Permitted<Query>, access_lists: &AccessLists) -> Vec<Statement> {
    statements(FirstCharts::of_search(permitted), permitted.rules(), access_lists)
}

/// Returns the first statement of a read from a chart.
pub fn chart_statement(permitted: &Permitted<Reference>, access_lists: &AccessLists) -> Statement {
    let mut statements = statements(FirstCharts::of_read(permitted), permitted.rules(), access_lists);
    if statements.is_empty() {
        select_compartments(&[permitted.request().to_string()])
    } else {
        statements.swap_remove(0)
    }
}

fn statements(first: FirstCharts, rules: &[AccessRule], access_lists: &AccessLists) -> Vec<Statement> {
    match first {
        FirstCharts::Of(_, names, heads) => of_charts(&names, &heads),
        FirstCharts::WithMembers(names, heads, (_, members)) => {
            of_charts(&names, &heads).into_iter().chain([select_compartments(&members)]).collect()
        }
        FirstCharts::Located(ChartQuery::Named(_, names), resource_type, joined)
            if joined.is_empty() && reach_all(rules, access_lists) =>
        {
            located_rows(&names).iter().take(1).map(|read| select_located(&names, resource_type, &[], *read)).collect()
        }
        FirstCharts::Located(ChartQuery::Named(_, names), ..) => vec![select_compartments(&names)],
        FirstCharts::Located(ChartQuery::All, ..) => Vec::new(),
    }
}

fn of_charts(names: &[ChartName], heads: &[ChartName]) -> Vec<Statement> {
    let all = extents(names, heads);
    all.map(|(name, extent)| select_chart(&name.compartment, name.resource_type, None, extent)).collect()
}

/// Returns whether a read is answered from charts.
#[must_use]
pub fn reads_chart(permitted: &Permitted<Reference>) -> bool {
    answers_from_charts(permitted.request().resource_type, sole_patients(permitted).is_some())
}
