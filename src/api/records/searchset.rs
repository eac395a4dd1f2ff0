//! The searchset of an answer: its entries, and the warnings about what it leaves out.

use serde_json::Value;
use serde_json::value::RawValue;

use super::answer::{Answer, next_address};
use super::answer_tags::AnswerTags;
use crate::http::form::FormPairs;
use crate::http::negotiate::{with_preference, with_pretty};
use crate::http::problem::Problem;
use crate::http::reply::{HeaderPolicy, Reply, with_cost};
use crate::query_context::QueryContext;
use database::LargeText;
use fhir::{BodyPiece, Elements, Issue, IssueCode, ResourceType, Searchset, Subset, outcome};
use search::{Include, MAX_ROUNDS, Query};
use smart::Permitted;
use store::MAX_INCLUDED;

/// Returns the reply with an answer as a searchset, or without it if the caller knows its tag.
pub fn searchset<B: LargeText>(
    answer: Answer<B>,
    tags: Option<&AnswerTags>,
    parameters: &FormPairs,
    context: QueryContext<'_>,
) -> Reply<B> {
    let outcome = (!answer.issues.is_empty()).then(|| outcome(&answer.issues));
    let mut reply = with_cost(with_preference(Reply::empty(200, HeaderPolicy::Fhir), context.prefer), answer.cost);
    if let Some((tag, is_known)) = tags.map(|tags| tags.of(&answer, outcome.as_deref())) {
        reply = reply.with("ETag", tag);
        if is_known {
            return Reply { status: 304, ..reply };
        }
    }
    let Answer { own, page_end, total, entries, .. } = answer;
    let next = page_end.map(|end| next_address(&own, &end, context));
    let (id, made) = (context.moment.uuid(), context.moment.instant());
    let pieces = Searchset { id, made, total, this: own, next, entries, outcome }.into_pieces();
    with_pretty(Reply { body: pieces, ..reply }, parameters)
}

/// Returns the warning about types that the answer leaves out because the grant does not open them, if there are any.
pub fn closed_types(types: &[ResourceType]) -> Option<Issue> {
    let names: Vec<_> = types.iter().map(|resource_type| resource_type.name()).collect();
    let text = "Types were left out, because the access token does not open them.";
    (!names.is_empty()).then(|| Issue::warning(IssueCode::Suppressed, text).hint(names.join(", ")))
}

/// Returns warnings about the parameters, includes and types that the answer leaves out.
pub fn left_out(permitted: &Permitted<Query>) -> Vec<Issue> {
    let query = permitted.request();
    let ignored = query.ignored.iter().cloned();
    let left_out = permitted.left_out().chunk_by(|(a, _), (b, _)| a == b);
    let suppressed = left_out.filter_map(|closed| {
        let include = closed.first()?.0;
        let names = closed.iter().map(|(_, brought)| brought.name()).collect::<Vec<_>>().join(", ");
        let (value, warning) = (include.value(), |text| Issue::warning(IssueCode::Suppressed, text));
        let issue = if closed.len() == 1 {
            warning(format!("{names} by {value} was left out: the access token does not open {names}."))
        } else {
            let text = format!("Types by {value} were left out, because the access token does not open them.");
            warning(text).hint(names)
        };
        Some(issue.about(include.name()))
    });
    let closed = permitted.closed().iter().map(|(name, resource_type)| {
        let text = format!("No {resource_type} was looked at: the access token does not open {resource_type}.");
        Issue::warning(IssueCode::Suppressed, text).about(name.clone())
    });
    ignored.chain(suppressed).chain(closed).collect()
}

/// Returns the warning or error about a chain that leads out of patients' records.
pub fn leading_out(name: &str, is_error: bool) -> Issue {
    const TEXT: &str = "What is referred to was not looked at where it is not in the record of the same patient, or the \
        access token does not open it.";
    let issue = if is_error { Issue::error } else { Issue::warning };
    issue(IssueCode::NotSupported, TEXT.to_owned()).about(name)
}

/// Returns the warning about an include that was not followed to its end.
pub fn cut(include: &Include) -> Issue {
    let text = format!(
        "Not all of {} is here: at most {MAX_ROUNDS} references are followed one after the other, and at most \
         {MAX_INCLUDED} resources included in a page.",
        include.value()
    );
    Issue::warning(IssueCode::TooCostly, text).about(include.name())
}

/// Returns the entries in a stored text, each with the requested part of its resource.
pub fn piece<B: Into<String>>(entries: B, subset: &Subset) -> BodyPiece<B> {
    if subset.is_whole() { BodyPiece::Stored(entries) } else { BodyPiece::Text(cut_entries(entries.into(), subset)) }
}

/// Returns the entries, separated by commas, each with a part of its resource. Text with a damaged entry is unchanged.
pub fn cut_entries(entries: String, subset: &Subset) -> String {
    if subset.is_whole() {
        return entries;
    }
    let cut = |entry: &str| {
        let members = Elements::of(entry).ok()?;
        let (url, resource, search) = (members.get("fullUrl")?, members.get("resource")?, members.get("search")?);
        let resource_type: String = serde_json::from_str(Elements::of(resource).ok()?.get("resourceType")?).ok()?;
        let resource = subset.cut(ResourceType::parse(&resource_type)?, resource).ok()?;
        Some(format!("{{\"fullUrl\":{url},\"resource\":{resource},\"search\":{search}}}"))
    };
    let all = ["[", &entries, "]"].concat();
    let each = serde_json::from_str::<Vec<&RawValue>>(&all).ok();
    let cut: Option<Vec<_>> = each.and_then(|each| each.into_iter().map(|entry| cut(entry.get())).collect());
    cut.map_or(entries, |cut| cut.join(","))
}

/// Returns the entries in a text, in which they are separated by commas.
pub fn entries_in(text: &str) -> Result<Vec<Value>, Problem> {
    serde_json::from_str(&["[", text, "]"].concat())
        .map_err(|error| Problem::Storage(format!("the text of a resource is damaged: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_cut_whatever_the_spelling_of_their_type() {
        for name in ["Patient", "P\\u0061tient"] {
            let resource = format!("{{\"resourceType\":\"{name}\",\"id\":\"a\",\"birthDate\":\"2020\"}}");
            let entry = format!("{{\"fullUrl\":\"u\",\"resource\":{resource},\"search\":{{}}}}");
            let cut = cut_entries(entry, &Subset::Elements(vec!["name".to_owned()]));
            assert!(cut.contains("SUBSETTED") && !cut.contains("2020"), "{cut}");
        }
    }
}
