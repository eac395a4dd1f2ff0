//! The result parameters of a search (<https://hl7.org/fhir/R4/search.html#return>): `_count`, `_sort`, `_include` and
//! others. They shape the answer and select no resources.

use super::clinical_order::clinical_order;
use super::include::Include;
use super::index_set::IndexSet;
use super::param::Param;
use super::query::{Query, SortRule, Total};
use fhir::{Issue, IssueCode, ResourceType, Subset, quoted};

/// The names of the result parameters.
pub(super) const RESULT_PARAMS: [&str; 12] = [
    "_contained",
    "_containedType",
    "_count",
    "_cursor",
    "_elements",
    "_format",
    "_include",
    "_pretty",
    "_revinclude",
    "_sort",
    "_summary",
    "_total",
];
/// The result parameters that a query may repeat.
pub(super) const REPEATED: [&str; 2] = ["_include", "_revinclude"];

/// The most matches on a page. It replaces a larger `_count`.
pub const MAX_COUNT: usize = 200;
/// The most rules of an order. A cursor contains a text for each.
const MAX_SORT_RULES: usize = 8;
/// The most includes in one query.
const MAX_INCLUDES: usize = 10;

/// Adds a result parameter to a query of a store that is indexed by `set`, and returns its value as understood, for the
/// `self` link.
///
/// # Errors
/// If the parameter does not accept the value.
pub(super) fn shape(query: &mut Query, set: &'static IndexSet, name: &str, value: &str) -> Result<String, Issue> {
    match (name, value) {
        (_, "") => return Err(Issue::error(IssueCode::Structure, format!("\"{name}\" has no value."))),
        ("_count", count) => {
            query.count = count_of(count)?;
            query.count_only |= query.count == 0;
            return Ok(query.count.to_string());
        }
        ("_cursor", cursor) => {
            query.cursor = Some(cursor.to_owned());
            return Ok(String::new());
        }
        ("_include" | "_revinclude" | "_include:iterate" | "_revinclude:iterate", value) => {
            let (bare, modifier) = name.split_once(':').unwrap_or((name, ""));
            let is_reverse = bare == "_revinclude";
            include(query, Include::parse(query.resource_type, set, is_reverse, !modifier.is_empty(), value)?)?;
        }
        ("_sort", keys) => sort(query, set, keys)?,
        ("_summary", "count") => query.count_only = true,
        ("_summary" | "_elements", _) => choose_subset(&mut query.subset, name, value)?,
        ("_pretty", "true" | "false") | ("_format", _) | ("_contained", "false") | ("_containedType", "container") => {}
        // Contained resources are not found on their own.
        ("_contained", _) => return Err(not_supported(name, "false")),
        ("_containedType", _) => return Err(not_supported(name, "container")),
        ("_pretty", _) => return Err(one_of(name, "true, false")),
        ("_total", "none") => query.total = Total::None,
        // An accurate number serves as an estimate.
        ("_total", "accurate" | "estimate") => query.total = Total::Accurate,
        (_, _) => return Err(one_of(name, "none, estimate, accurate")),
    }
    Ok(value.to_owned())
}

/// Applies `_summary` (other than `count`) or `_elements`: the part of each resource that a search or a read returns.
///
/// # Errors
/// If the parameter does not accept the value, or the other parameter was given too and also leaves something out.
pub fn choose_subset(chosen: &mut Subset, name: &str, value: &str) -> Result<(), Issue> {
    let subset = if name == "_elements" {
        Subset::Elements(elements(value)?)
    } else {
        Subset::of_summary(value).ok_or_else(|| one_of(name, "true, text, data, false; of a search also count"))?
    };
    if subset.is_whole() {
        return Ok(());
    }
    if !chosen.is_whole() {
        return Err(
            Issue::error(IssueCode::Value, "One part of a resource is asked for.").hint("_summary or _elements, once")
        );
    }
    *chosen = subset;
    Ok(())
}

/// Returns the names of elements, separated by commas.
fn elements(names: &str) -> Result<Vec<String>, Issue> {
    let legal = |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let names: Vec<_> = names.split(',').map(str::trim).collect();
    if let Some(odd) = names.iter().find(|name| !legal(name)) {
        return Err(Issue::error(IssueCode::Value, format!("{} is not the name of an element.", quoted(odd))));
    }
    Ok(names.into_iter().map(str::to_owned).collect())
}

/// Applies `_sort`: keys separated by commas, with `-` before a key for the reverse order.
fn sort(query: &mut Query, set: &IndexSet, keys: &str) -> Result<(), Issue> {
    for key in keys.split(',') {
        if query.sort.len() == MAX_SORT_RULES {
            let text = format!("A search is sorted by at most {MAX_SORT_RULES} parameters.");
            return Err(Issue::error(IssueCode::TooCostly, text));
        }
        let key = sort_key(query.resource_type, set, key)?;
        if query.sort.iter().any(|other| other.param == key.param) {
            let text = format!("\"{}\" is sorted by more than once.", key.param.name);
            return Err(Issue::error(IssueCode::Value, text));
        }
        query.sort.push(key);
    }
    if is_default(&query.sort) {
        query.sort.clear();
    }
    Ok(())
}

fn count_of(value: &str) -> Result<usize, Issue> {
    if !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(
            Issue::error(IssueCode::Value, format!("{} is not a number of matches.", quoted(value))).hint("0 or more")
        );
    }
    // A number that is too large for a usize is above the maximum.
    Ok(value.parse().map_or(MAX_COUNT, |count: usize| count.min(MAX_COUNT)))
}

fn one_of(name: &str, values: &str) -> Issue {
    Issue::error(IssueCode::Value, format!("\"{name}\" does not take that value.")).hint(format!("one of: {values}"))
}

/// Returns the refusal of a value that FHIR defines but searches do not support.
fn not_supported(name: &str, takes: &str) -> Issue {
    let text = format!("\"{name}\" is supported with its default alone.");
    Issue::error(IssueCode::NotSupported, text).hint(format!("{name}={takes}"))
}

fn sort_key(resource_type: ResourceType, set: &IndexSet, key: &str) -> Result<SortRule, Issue> {
    let (name, descending) = key.strip_prefix('-').map_or((key, false), |name| (name, true));
    let sortable = |param: &&'static Param| param.is_sortable();
    match set.params_of(resource_type).filter(sortable).find(|param| param.name == name) {
        Some(param) => Ok(SortRule { param, descending }),
        None => {
            let names: Vec<_> = set.params_of(resource_type).filter(sortable).map(|param| param.name).collect();
            Err(Issue::error(IssueCode::NotSupported, format!("{resource_type} cannot be sorted by {}.", quoted(name)))
                .hint(format!("{resource_type} sorts by: {}, each also with - before it", names.join(", "))))
        }
    }
}

/// Returns whether the keys name the default order: newest first by the clinical date, then by id. If the default order
/// uses another date for resources that lack this one, it is not the order by this date.
fn is_default(sort: &[SortRule]) -> bool {
    let by_id = |key: &SortRule| key.param.name == "_id" && !key.descending;
    matches!(sort, [first, rest @ ..]
        if first.descending
            && first.param.clinical
            && clinical_order(first.param.base).len() == 1
            && rest.iter().all(by_id))
}

/// Adds an include, unless it was already added.
fn include(query: &mut Query, include: Include) -> Result<(), Issue> {
    let chosen = if include.is_reverse { &mut query.revinclude } else { &mut query.include };
    if chosen.contains(&include) {
        return Ok(());
    }
    chosen.push(include);
    if chosen.len() > MAX_INCLUDES {
        let text = format!("A search includes at most {MAX_INCLUDES} kinds of reference.");
        return Err(Issue::error(IssueCode::TooCostly, text));
    }
    Ok(())
}
