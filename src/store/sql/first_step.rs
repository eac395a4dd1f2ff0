//! The first step of an answer from charts: the charts that are read, or the names by which they are found.

use futures_util::future::join;

use super::chart_rows::select_chart;
use super::charts::{ChartName, ChartReader, FetchedChart, select_compartments};
use crate::database::{Database, Statement};
use crate::fhir::{Id, Reference, ResourceType};
use crate::search::{Param, Query, id_param};
use crate::smart::{AccessRule, Owner, PatientSet, Permitted, is_directory};
use crate::store::StoreError;
use crate::store::evaluate::{AccessLists, reaches};
use crate::store::names::{is_whole, names_of};

/// Returns whether a search or a read of a type is answered from charts: if it is about given patients, or of a type
/// that has no rows of its own.
#[must_use]
pub fn answers_from_charts(kind: ResourceType, has_patients: bool) -> bool {
    !is_directory(kind) && (has_patients || !is_whole(kind))
}

/// The first read for an answer from charts.
pub enum FirstStep {
    /// These charts.
    Charts(Vec<ChartName>),
    /// The compartments of the resources of a type that have one of these names, which are values of a parameter.
    Names(&'static Param, Vec<String>, ResourceType),
}

impl FirstStep {
    /// The first step of a search: the charts that may hold matches, and those for its reverse includes, if the
    /// patients are known.
    ///
    /// # Errors
    /// If the query has neither patients nor names.
    pub fn of_search(query: &Query) -> Result<Self, StoreError> {
        if let Some(patients) = &query.patients {
            return Ok(Self::Charts(charts_of_patients(query, patients)));
        }
        // The parser admits no search without names on types that have no rows of their own.
        let (param, names) = names_of(query).ok_or(StoreError::TooCostly)?;
        Ok(Self::Names(param, names, query.on))
    }

    /// The first step of a read: the charts that may hold the resource, if the patients are known.
    pub fn of_read(ask: &Permitted<Reference>) -> Self {
        let reference = ask.question();
        let Some(patients) = sole_patients(ask) else {
            return Self::Names(id_param(reference.kind), vec![reference.to_string()], reference.kind);
        };
        let mut wanted = Vec::new();
        patients.into_iter().for_each(|patient| put((patient.to_string(), reference.kind), &mut wanted));
        Self::Charts(wanted)
    }
}

/// Does the first step while the access lists are read, and returns the charts that an answer begins with. Of the
/// compartments that have a name, only those that `rules` may reach are read further: an id in somebody else's
/// compartment takes as many trips as one that is not there. Resources of several patients are in compartments of their
/// own, which are read.
///
/// # Errors
/// If a database does not answer, or the charts are too many or too large.
pub async fn begin<D: Database>(
    reader: &ChartReader<'_, D>,
    step: FirstStep,
    listing: impl Future<Output = Result<AccessLists, StoreError>>,
    rules: &[AccessRule],
) -> Result<(AccessLists, Vec<FetchedChart>), StoreError> {
    match step {
        FirstStep::Charts(wanted) => {
            let (access_lists, charts) = join(listing, reader.charts(&wanted)).await;
            Ok((access_lists?, charts?))
        }
        FirstStep::Names(param, names, kind) => {
            let (access_lists, compartments) = join(listing, reader.locate(param, &names)).await;
            let access_lists = access_lists?;
            let mut wanted = Vec::new();
            for compartment in compartments? {
                if may_reach(rules, &access_lists, &compartment) {
                    put((compartment, kind), &mut wanted);
                }
            }
            let charts = reader.charts(&wanted).await?;
            Ok((access_lists, charts))
        }
    }
}

/// Returns whether access rules may reach a resource in a compartment. One that is not a patient's holds resources of
/// several patients.
fn may_reach(rules: &[AccessRule], access_lists: &AccessLists, compartment: &str) -> bool {
    let Some(patient) = Id::parse(compartment) else { return true };
    let owner = Owner::Patients([patient].into());
    rules.iter().any(|rule| reaches(&rule.patients, access_lists, &owner))
}

/// The charts for a search of these patients' records.
fn charts_of_patients(query: &Query, patients: &[Id]) -> Vec<ChartName> {
    let mut wanted = Vec::new();
    for patient in patients {
        let kinds = std::iter::once(query.on).chain(query.revinclude.iter().map(|include| include.param.on));
        kinds.for_each(|kind| put((patient.to_string(), kind), &mut wanted));
    }
    wanted
}

/// The statements with which a search of charts begins, for explanations.
#[must_use]
pub fn chart_statements(query: &Query) -> Vec<Statement> {
    match &query.patients {
        Some(patients) => {
            let wanted = charts_of_patients(query, patients);
            wanted.iter().map(|(compartment, kind)| select_chart(compartment, *kind, None)).collect()
        }
        None => names_of(query).iter().map(|(_, names)| select_compartments(names)).collect(),
    }
}

/// The statement with which a read from a chart begins, for explanations.
#[must_use]
pub fn chart_statement(ask: &Permitted<Reference>) -> Statement {
    let reference = ask.question();
    match sole_patients(ask).as_deref() {
        Some([patient, ..]) => select_chart(patient.as_str(), reference.kind, None),
        Some([]) | None => select_compartments(&[reference.to_string()]),
    }
}

/// Returns whether a read is answered from charts.
#[must_use]
pub fn reads_chart(ask: &Permitted<Reference>) -> bool {
    answers_from_charts(ask.question().kind, sole_patients(ask).is_some())
}

/// The patients to whose records a read is limited, if each of its rules is for one patient.
fn sole_patients(ask: &Permitted<Reference>) -> Option<Vec<&Id>> {
    ask.rules()
        .iter()
        .map(|rule| match &rule.patients {
            PatientSet::One(patient) => Some(patient),
            PatientSet::All | PatientSet::AccessList(_) => None,
        })
        .collect()
}

/// Appends a name unless it is there.
pub fn put(name: ChartName, names: &mut Vec<ChartName>) {
    if !names.contains(&name) {
        names.push(name);
    }
}
