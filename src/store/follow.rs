//! Following the includes of a search through charts and rows. In a patient's record, a resource and the resources that
//! refer to it are in charts of the same compartment. The target of a reference may also be in another record, or in
//! the directory.

use std::collections::BTreeSet;

use futures_util::future::join;

use super::StoreError;
use super::chart_source::{Attempt, ChartQuery, ChartSource, IncludedPage, IncludedRow};
use super::names::{has_own_rows, members_of, patient_name, referrers_name};
use super::rounds::{IncludeSource, Round, Rounds};
use super::search_plan::Search;
use chart::evaluate::{Candidate, may_reach, opens, patients_of};
use chart::{ChartName, ChartRow, links, referring_rows};
use collections::order::set_of;
use fhir::{Frame, Reference};
use search::registry::id_param;
use search::{Query, provenance_target};
use smart::{AccessRule, PatientSet, Permitted, is_directory, is_owned_through_others};

/// Returns rows of charts as sources of includes.
pub fn reached(permitted: &Permitted<Query>, rows: &[ChartRow<'_, '_>]) -> Vec<IncludeSource> {
    if permitted.includes().is_empty() {
        return Vec::new();
    }
    let reached = |(row, links): (&ChartRow<'_, '_>, Vec<_>)| {
        Some(IncludeSource { reference: row.reference()?, patient: row.owner().sole().cloned(), links })
    };
    rows.iter().zip(links(rows, |resource_type| permitted.followed(resource_type))).filter_map(reached).collect()
}

/// A resource that a round found.
enum Row<'v, 'c, B> {
    InChart(ChartRow<'v, 'c>),
    InRows(IncludedRow<B>),
}

/// Tells the source before the first trip what following the includes of a search will ask for.
pub fn announce<S: ChartSource>(source: &S, permitted: &Permitted<Query>) {
    let provenances = provenance_target().filter(|param| permitted.followed_back().contains(param));
    let rules = provenances.and_then(|param| permitted.rules_of_included(param.base)).unwrap_or_default();
    if reaches_others(rules) {
        source.expect_provenances();
    }
}

/// Follows the includes of a search from the resources of its page, round by round.
pub async fn follow<S: ChartSource>(
    source: &S,
    search: &Search<'_>,
    page: Vec<IncludeSource>,
) -> Attempt<IncludedPage<S::Body>> {
    let permitted = search.permitted;
    let mut included = IncludedPage::default();
    let mut rounds = Rounds::new(permitted, page);
    while let Some(round) = rounds.next() {
        let (in_rows, in_charts) =
            round.divide(|on| S::HAS_ROWS && has_own_rows(on), |on| S::HAS_ROWS && is_directory(on));
        let (of_rows, of_charts) = (source.parallel(), source.parallel());
        let (rows, charts) =
            join(of_rows.rows(search, &in_rows, rounds.most()), charts_of(&of_charts, search, &in_charts)).await;
        source.add_parallel(&of_rows, &of_charts);
        let (rows, charts) = (rows?, charts?);
        search.check(&charts)?;
        let views = search.views(&charts);
        let targets = in_charts.targets.keys().filter_map(|target| views.iter().find_map(|view| view.find(target)));
        let referring = in_charts.referring.iter();
        let referring = referring.flat_map(|(param, targets)| referring_rows(&views, param, targets));
        let is_opened = |row: &ChartRow<'_, '_>| {
            let rules = permitted.rules_of_included(row.resource_type());
            rules.is_some_and(|rules| opens(rules, search.access_lists, *row))
        };
        let named = |row| Some((ChartRow::reference(row)?, Row::InChart(row)));
        let mut found: Vec<_> = targets.chain(referring).filter(is_opened).filter_map(named).collect();
        found.extend(rows.into_iter().map(|row| (row.reached.reference.clone(), Row::InRows(row))));
        let chosen = rounds.choose(found);
        let of_charts: Vec<ChartRow<'_, '_>> = chosen.iter().filter_map(Row::in_chart).collect();
        source.texts(&charts, &of_charts).await?;
        let mut newest = reached(permitted, &of_charts);
        let of_charts = patients_of(of_charts.iter().map(|row| row.owner()));
        of_charts.into_iter().for_each(|patient| patient.put(&mut included.patients));
        for row in chosen {
            match row {
                Row::InChart(row) => {
                    let frame = Frame::included(search.base, row.resource_type());
                    included.texts.push(row.entry(&frame)?.into());
                }
                Row::InRows(IncludedRow { reached, patients, entry }) => {
                    newest.push(reached);
                    patients.into_iter().for_each(|patient| patient.put(&mut included.patients));
                    included.texts.push(entry);
                }
            }
        }
        rounds.go_on(newest);
    }
    included.cut = rounds.into_cut();
    Ok(included)
}

impl<'v, 'c, B> Row<'v, 'c, B> {
    const fn in_chart(&self) -> Option<ChartRow<'v, 'c>> {
        match self {
            Self::InChart(row) => Some(*row),
            Self::InRows(_) => None,
        }
    }
}

/// Returns the charts that may hold the resources of a round. Targets are first sought in the records of the resources
/// that refer to them, and then elsewhere, unless the grant opens a single record.
async fn charts_of<S: ChartSource>(
    source: &S,
    search: &Search<'_>,
    round: &Round,
) -> Result<Vec<S::Fetched>, StoreError> {
    let rules = |resource_type| search.permitted.rules_of_included(resource_type).unwrap_or_default();
    let mut names: Vec<ChartName> = Vec::new();
    let mut wanted = Vec::new();
    let mut of_many = None;
    for (param, targets) in &round.referring {
        if is_directory(param.base) {
            source.locate(&ChartQuery::All, param.base).await?.into_iter().for_each(|name| name.put(&mut names));
            continue;
        }
        let patients = set_of(targets.iter().filter_map(|(_, patient)| patient.as_ref()));
        patients.iter().for_each(|patient| ChartName::new(*patient, param.base).put(&mut names));
        // If the reader may see others' records, a resource of several patients counts as being in the record of each.
        let shared_with = if reaches_others(rules(param.base)) { patients } else { BTreeSet::new() };
        if is_owned_through_others(param.base) {
            wanted.extend(members_of(param.base, shared_with.iter().copied()));
        }
        if Some(*param) == provenance_target() {
            let outside = targets.iter().filter(|(_, patient)| patient.is_none());
            let outside = set_of(outside.map(|(target, _)| referrers_name(param, &target.to_string())));
            wanted.push((*param, outside.into_iter().collect()));
            of_many = Some((*param, shared_with)).filter(|(_, patients)| !patients.is_empty());
        }
    }
    for (target, patients) in round.targets.iter().filter(|(target, _)| !is_directory(target.resource_type)) {
        let sole = rules(target.resource_type).iter().filter_map(|rule| match &rule.patients {
            PatientSet::One(patient) => Some(patient),
            PatientSet::All | PatientSet::AccessList(_) | PatientSet::Nobody => None,
        });
        patients.iter().chain(sole).for_each(|patient| ChartName::new(patient, target.resource_type).put(&mut names));
    }
    if of_many.is_some() {
        source.expect_provenances();
    }
    wanted.retain(|(_, names)| !names.is_empty());
    if !wanted.is_empty() {
        let (of_records, of_others) = (source.parallel(), source.parallel());
        let (read, located) = join(of_records.prefetch(&names, &[]), of_others.locate_each(&wanted)).await;
        source.add_parallel(&of_records, &of_others);
        read?;
        let may_hold = |name: &ChartName| may_reach(rules(name.resource_type), search.access_lists, &name.compartment);
        located?.into_iter().filter(may_hold).for_each(|name| name.put(&mut names));
    }
    let mut charts = source.charts(&names, None).await?;
    let is_here = |target: &Reference| {
        let mut of_type =
            charts.iter().map(AsRef::as_ref).filter(|chart| chart.resource_type() == target.resource_type);
        of_type.any(|chart| chart.find(target.id.as_str()).is_some())
    };
    let may_be_elsewhere = |target: &&Reference| reaches_others(rules(target.resource_type)) && !is_here(target);
    let missing: Vec<&Reference> = round.targets.keys().filter(may_be_elsewhere).collect();
    let named = |targets: &[&Reference]| {
        Some((id_param(targets.first()?.resource_type), targets.iter().map(ToString::to_string).collect::<Vec<_>>()))
    };
    let by_type = missing.chunk_by(|a, b| a.resource_type == b.resource_type);
    let mut elsewhere: Vec<_> = by_type.filter_map(named).collect();
    if let Some((param, patients)) = of_many
        && source.has_provenances_of_many().await?
    {
        elsewhere.push((param, patients.into_iter().map(|patient| patient_name(param, patient)).collect()));
    }
    let mut others: Vec<ChartName> = Vec::new();
    for (param, wanted) in elsewhere {
        for name in source.locate(&ChartQuery::Named(param, wanted), param.base).await? {
            if may_reach(rules(param.base), search.access_lists, &name.compartment) && !names.contains(&name) {
                name.put(&mut others);
            }
        }
    }
    if !others.is_empty() {
        charts.extend(source.charts(&others, None).await?);
    }
    Ok(charts)
}

/// Returns whether access rules may reach the resources of patients other than the one in context.
fn reaches_others(rules: &[AccessRule]) -> bool {
    rules.iter().any(|rule| !matches!(rule.patients, PatientSet::One(_)))
}
