//! The consent page. It shows the requested scopes in a few groups. Each group expands to a checkbox for each scope,
//! with a description for patients.

use maud::{Markup, html};

use super::Messages;
use super::frame::{address, hidden, leads_to, manage_address, page};
use super::groups::{Group, group};
use super::pick::visit;
use crate::http::reply::Reply;
use oauth::{ConsentPage, OMIT_FIELD, PART_FIELD, is_context};
use smart::{Level, ResourceScope, Scope, ScopeSet, closed_with, conditions, parts, wildcard};

/// The most checkboxes for which the groups are expanded. If there are more, they are collapsed.
const OPEN: usize = 6;

pub fn consent<B>(messages: Messages, content: &ConsentPage) -> Reply<B> {
    let groups = groups(&content.scopes);
    let is_short = groups.iter().map(|(_, scopes)| scopes.len()).sum::<usize>() <= OPEN;
    let pending = content.form_tokens.pending.as_deref();
    // The duration of the access comes first. Below the groups, it would be out of sight.
    let (session, records): (Vec<_>, Vec<_>) = groups.iter().partition(|(group, _)| *group == Group::Session);
    // Redirect addresses with http are on this computer.
    let is_local = content.redirect.starts_with("http://");
    let goes_to = if content.resource.is_fhir() { content.form_tokens.leads_to.as_deref() } else { None };
    let goes_to = goes_to.or_else(|| content.redirect.split('?').next()).unwrap_or_default();
    let body = html! {
        h1 { (messages.allow_app(&content.app)) }
        p {
            (request_text(messages, content))
            " " (messages.only_reads())
            @if let Some(pending) = pending.filter(|_| content.is_chosen) {
                " " a href=(address(pending, "pick")) { (messages.another_patient()) }
            }
        }
        @if !content.resource.is_fhir() {
            p {
                (messages.leaves_here())
                @if is_local { " " strong { (messages.some_program()) } }
            }
        }
        (encounter(messages, content))
        p.note {
            (messages.signed_in_as(&content.user))
            @if let Some(pending) = pending {
                " " a href=(address(pending, "switch")) { (messages.not_you()) }
            }
            " " (messages.open_a_group())
        }
        form.long method="post" action="/oauth/consent" {
            (hidden(messages, &content.form_tokens))
            @for (group, scopes) in session.into_iter().chain(records) {
                (fieldset(messages, content, *group, scopes, is_short))
            }
            p.actions {
                button type="submit" name="decision" value="allow" { (messages.allow()) }
                button.quiet type="submit" name="decision" value="deny" { (messages.deny()) }
            }
        }
        p.note {
            (messages.goes_back(&goes_to))
            @if content.scopes.resource_scopes().nth(1).is_some() { " " (messages.told_elsewhere()) }
            " " (messages.withdraw_under(&html! { a href=(manage_address(messages)) { (messages.what_apps_may()) } }))
        }
    };
    page(messages, 200, messages.allow_an_app(), &body, &leads_to(&content.form_tokens))
}

/// Returns the sentence about the patients whose records the app requests.
fn request_text(messages: Messages, content: &ConsentPage) -> Markup {
    let app = html! { strong { (content.app) } };
    let app = content.claimed_name.as_ref().map_or_else(|| app.clone(), |name| messages.calls_itself(&app, name));
    let every = content.scopes.resource_scopes().any(|clinical| clinical.level == Level::User);
    let every = every.then(|| html! { strong { (messages.every_patient()) } });
    let patient = content.patient.as_ref().map(|card| {
        let name = html! { strong { (card.name) } };
        card.born.as_ref().map_or_else(|| name.clone(), |born| messages.patient_born(&name, &messages.birth(born)))
    });
    match (every, patient) {
        (None, None) => messages.would_see_who(&app),
        (Some(every), Some(patient)) => messages.would_see_records(&app, &messages.first_of(&every, &patient)),
        (Some(one), None) | (None, Some(one)) => messages.would_see_records(&app, &one),
    }
}

/// Returns the sentence about the encounter in context, with a link to select another one.
fn encounter(messages: Messages, content: &ConsentPage) -> Markup {
    let text = match &content.encounter {
        Some(card) => messages.about_visit(&visit(messages, card)),
        None if content.is_encounter_chosen => html! { (messages.about_no_visit()) },
        None => return html! {},
    };
    let pending = content.form_tokens.pending.as_deref().filter(|_| content.is_encounter_chosen);
    html! {
        p {
            (text)
            @if let Some(pending) = pending {
                " " a href=(address(pending, "encounters")) { (messages.another_encounter()) }
            }
        }
    }
}

fn group_of(scope: &Scope) -> Group {
    match scope {
        Scope::Resource(scope) => scope.resource_type.map_or(Group::Everything, group),
        Scope::Other("offline_access" | "online_access") => Group::Session,
        Scope::Other(_) => Group::Identity,
    }
}

/// Returns the scopes as written, by group, without empty groups.
pub fn groups(scopes: &ScopeSet) -> Vec<(Group, Vec<(&str, &Scope)>)> {
    let of = |group| {
        let scopes = scopes.iter().filter(|(written, scope)| !is_context(written) && group_of(scope) == group);
        (group, scopes.collect::<Vec<_>>())
    };
    Group::ALL.into_iter().map(of).filter(|(_, scopes)| !scopes.is_empty()).collect()
}

fn fieldset(
    messages: Messages,
    content: &ConsentPage,
    group: Group,
    scopes: &[(&str, &Scope)],
    is_open: bool,
) -> Markup {
    let of_type = |scope: &Scope| parts(scope).next();
    let boxes = html! {
        @for (at, (written, scope)) in scopes.iter().enumerate() {
            (checkbox(messages, content, (written, scope), scopes.len() == 1))
            // Two scopes for the same type have the same parts.
            @if !scopes.iter().take(at).any(|(_, earlier)| of_type(earlier) == of_type(scope)) {
                (parts_of(messages, scope))
            }
        }
    };
    if group == Group::Session {
        return html! { div.special { (boxes) } };
    }
    let names: Vec<_> = scopes.iter().map(|(_, scope)| describe(messages, scope).0).collect();
    html! {
        details open[is_open] {
            summary {
                strong { (messages.group(group)) }
                em { (messages.not_all()) }
                em.omitted { (messages.left_out()) }
                small { (names.join(", ")) }
            }
            @if scopes.len() > 1 { (omit(messages, scopes)) }
            (boxes)
        }
    }
}

/// Returns the checkbox that leaves out a whole group.
fn omit(messages: Messages, scopes: &[(&str, &Scope)]) -> Markup {
    let written: Vec<_> = scopes.iter().map(|(written, _)| *written).collect();
    html! {
        label.choice.omit {
            input type="checkbox" name=(OMIT_FIELD) value=(written.join(" "));
            span { strong { (messages.omit()) } }
        }
    }
}

/// Returns the checkbox of a scope, which may be the only one of its group. A scope that keeps an app connected states
/// for how long. A scope that, if unticked, restricts other scopes names these.
fn checkbox(messages: Messages, content: &ConsentPage, (written, scope): (&str, &Scope), is_alone: bool) -> Markup {
    let (text, note) = describe(messages, scope);
    let closes: Vec<_> = closed_with(&content.scopes, (written, scope)).collect();
    let is_offline = matches!(scope, Scope::Other("offline_access"));
    html! {
        label.choice {
            input type="checkbox" name="scope" value=(written) checked;
            span {
                strong { (text) }
                small {
                    (note)
                    @if is_offline {
                        " " (messages.offline_days(&content.refresh_days))
                        @if is_alone { " " (messages.offline_without()) }
                    }
                    @if !closes.is_empty() { " " (messages.closes_too(&html! { code { (closes.join(" ")) } })) }
                }
                " " code { (written) }
            }
        }
    }
}

/// Returns the parts that can be granted instead of a scope. If any is ticked, only the ticked ones are granted.
fn parts_of(messages: Messages, scope: &Scope) -> Markup {
    let parts: Vec<_> = parts(scope).collect();
    if parts.is_empty() {
        return html! {};
    }
    html! {
        fieldset.parts {
            legend { (messages.only_parts()) }
            @for part in &parts {
                label.choice {
                    input type="checkbox" name=(PART_FIELD) value=(part.written());
                    span { strong { (part.title(messages.language)) } }
                }
            }
        }
    }
}

/// Returns the title of a scope, and a sentence about it.
pub fn describe(messages: Messages, scope: &Scope) -> (String, String) {
    let described = |text: &str, note: &str| (text.to_owned(), note.to_owned());
    match scope {
        Scope::Resource(scope) => describe_records(messages, scope),
        Scope::Other("offline_access") => described(messages.offline(), messages.offline_note()),
        Scope::Other("online_access") => described(messages.online(), messages.online_note()),
        Scope::Other("openid") => described(messages.own_name(), ""),
        Scope::Other("fhirUser") => described(messages.own_record(), ""),
        Scope::Other("profile") => described(messages.which_record(), ""),
        Scope::Other(other) => described(other, ""),
    }
}

fn describe_records(messages: Messages, scope: &ResourceScope) -> (String, String) {
    let Some(resource_type) = scope.resource_type else {
        let names: Vec<_> =
            wildcard(scope.level).map(|resource_type| resource_type.plain_name(messages.language)).collect();
        return (messages.all_of_these().to_owned(), names.join(", "));
    };
    let only = conditions(&scope.only, messages.language);
    let only = if only.is_empty() { only } else { format!("{} {only}. ", messages.only_those()) };
    let way = match (scope.read, scope.search, scope.write) {
        (_, _, true) => messages.reads_only(),
        (true, false, false) => messages.one_by_one(),
        (false, true, false) => messages.only_searched(),
        (true, true, false) | (false, false, false) => "",
    };
    (resource_type.plain_name(messages.language), format!("{only}{way}").trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fhir::{Language, ResourceType as T};

    #[test]
    fn each_scope_is_in_one_group() {
        let scopes: Vec<_> =
            T::served().iter().map(|resource_type| format!("patient/{}.read", resource_type.name())).collect();
        let text = format!("launch/patient openid fhirUser offline_access user/*.read {}", scopes.join(" "));
        let scopes = ScopeSet::parse(&text).unwrap();
        let groups = groups(&scopes);
        let mut all: Vec<_> =
            groups.iter().flat_map(|(_, scopes)| scopes.iter().map(|(written, _)| *written)).collect();
        all.sort_unstable();
        let mut requested: Vec<_> = text.split(' ').filter(|written| !is_context(written)).collect();
        requested.sort_unstable();
        assert_eq!(all, requested);
        assert_eq!(groups.len(), Group::ALL.len());
        assert_eq!(super::groups(&ScopeSet::parse("launch/patient patient/Goal.rs").unwrap()).len(), 1);
    }

    #[test]
    fn special_scopes_are_described() {
        let messages = Messages { language: Language::English, is_requested: false };
        let described = |scope: &str| describe(messages, &Scope::parse(scope).unwrap());
        let (text, note) = described("patient/Observation.rs?category=http://s|laboratory");
        assert_eq!(text, "test results, vital signs and other observations");
        assert_eq!(note, "Only those whose category is laboratory.");
        assert_eq!(described("user/Condition.r").1, "One by one, without searching.");
        assert_eq!(described("patient/Goal.read").1, "");
    }
}
