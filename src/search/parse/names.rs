//! The names of a query string: which parameter is meant, and which modifier of it.

use crate::fhir::{Issue, IssueCode, ResourceType, quoted};
use crate::search::kind::Modifier;
use crate::search::param::Param;
use crate::search::registry::{named, params_of};
use crate::search::result_param::RESULT_PARAMS;

/// The parameter of a type, and its modifier, which a name stands for: `code`, `name:exact`.
///
/// # Errors
/// If the type has no such parameter, or the parameter no such modifier; with those that there are as a hint.
pub(super) fn param_of(on: ResourceType, name: &str) -> Result<(&'static Param, Option<Modifier>), Issue> {
    let (bare, written) = name.split_once(':').map_or((name, None), |(bare, modifier)| (bare, Some(modifier)));
    let Some(param) = named(on, bare) else {
        let known: Vec<_> = params_of(on).map(|param| param.name).chain(RESULT_PARAMS).collect();
        let text = format!("{on} has no search parameter {}.", quoted(bare));
        return Err(not_supported(text, format!("{on} takes: {}", known.join(", "))));
    };
    let Some(written) = written else { return Ok((param, None)) };
    let Some(modifier) = param.modifiers().find(|modifier| modifier.name() == written) else {
        let names: Vec<_> = param.modifiers().map(|modifier| format!(":{}", modifier.name())).collect();
        let takes = if names.is_empty() { "no modifier".to_owned() } else { names.join(", ") };
        let text = format!("The search parameter \"{bare}\" of {on} has no modifier {}.", quoted(written));
        return Err(not_supported(text, format!("{bare} takes {takes}")));
    };
    Ok((param, Some(modifier)))
}

fn not_supported(text: String, hint: String) -> Issue {
    Issue::error(IssueCode::NotSupported, text).hint(hint)
}
