//! The consent page. It shows the requested scopes in a few groups, each of which opens to a checkbox for each scope,
//! with a description for patients.

use maud::{Markup, html};

use super::Messages;
use super::frame::{address, hidden, leads_to, manage_address, page};
use super::types::{Group, group, plain};
use crate::api::reply::Reply;
use crate::oauth::{ConsentPage, is_context};
use crate::smart::{Level, ResourceScope, Scope, ScopeSet, conditions, wildcard};

/// The most checkboxes that are shown with open groups. If there are more, the groups are closed.
const OPEN: usize = 6;

/// The consent page.
pub fn consent<B>(say: Messages, content: &ConsentPage) -> Reply<B> {
    let groups = groups(&content.scopes);
    let is_short = groups.iter().map(|(_, scopes)| scopes.len()).sum::<usize>() <= OPEN;
    let pending = content.form_tokens.pending.as_deref();
    let body = html! {
        h1 { (say.allow_app(&content.app)) }
        p {
            (asked_for(say, content))
            @if let Some(pending) = pending.filter(|_| content.is_chosen) {
                " " a href=(address(pending, "pick")) { (say.another_patient()) }
            }
        }
        p.note {
            (say.signed_in_as(&content.user))
            @if let Some(pending) = pending {
                " " a href=(address(pending, "switch")) { (say.not_you()) }
            }
            " " (say.open_a_group())
        }
        form.long method="post" action="/oauth/consent" {
            (hidden(say, &content.form_tokens))
            @for (group, scopes) in &groups { (fieldset(say, *group, scopes, is_short)) }
            p.actions {
                button type="submit" name="decision" value="allow" { (say.allow()) }
                button.quiet type="submit" name="decision" value="deny" { (say.deny()) }
            }
        }
        p.note {
            (say.goes_back(&content.form_tokens.leads_to.as_deref().unwrap_or_default()))
            " " (say.withdraw_under(&html! { a href=(manage_address(say, false)) { (say.what_apps_may()) } }))
        }
    };
    page(say, 200, say.allow_an_app(), &body, &leads_to(&content.form_tokens))
}

/// Whose records the app asks for.
fn asked_for(say: Messages, content: &ConsentPage) -> Markup {
    let app = html! { strong { (content.app) } };
    let every = content.scopes.resource_scopes().any(|clinical| clinical.level == Level::User);
    let every = every.then(|| html! { strong { (say.every_patient()) } });
    let patient = content.patient.as_ref().map(|card| {
        let name = html! { strong { (card.name) } };
        card.born.as_ref().map_or_else(|| name.clone(), |born| say.patient_born(&name, &say.birth(born)))
    });
    match (every, patient) {
        (None, None) => say.would_see_who(&app),
        (Some(every), Some(patient)) => say.would_see_records(&app, &say.first_of(&every, &patient)),
        (Some(one), None) | (None, Some(one)) => say.would_see_records(&app, &one),
    }
}

/// The group of a scope.
fn group_of(scope: &Scope) -> Group {
    match scope {
        Scope::Resource(scope) => scope.resource_type.map_or(Group::Everything, group),
        Scope::Other("offline_access" | "online_access") => Group::Session,
        Scope::Other(_) => Group::Identity,
    }
}

/// The scopes as they were written, by group, without empty groups.
pub fn groups(scopes: &ScopeSet) -> Vec<(Group, Vec<(&str, &Scope)>)> {
    let of = |group| {
        let scopes = scopes.iter().filter(|(written, scope)| !is_context(written) && group_of(scope) == group);
        (group, scopes.collect::<Vec<_>>())
    };
    Group::ALL.into_iter().map(of).filter(|(_, scopes)| !scopes.is_empty()).collect()
}

fn fieldset(say: Messages, group: Group, scopes: &[(&str, &Scope)], is_open: bool) -> Markup {
    let boxes = html! {
        @for (written, scope) in scopes { (tick(say, written, scope)) }
    };
    if group == Group::Session {
        return html! { div.special { (boxes) } };
    }
    let names: Vec<_> = scopes.iter().map(|(_, scope)| words(say, scope).0).collect();
    html! {
        details open[is_open] {
            summary { strong { (group.title(say)) } em { (say.not_all()) } small { (names.join(", ")) } }
            (boxes)
        }
    }
}

fn tick(say: Messages, written: &str, scope: &Scope) -> Markup {
    let (text, note) = words(say, scope);
    html! {
        label.choice {
            input type="checkbox" name="scope" value=(written) checked;
            span { strong { (text) } small { (note) } " " code { (written) } }
        }
    }
}

/// The title of a scope, and a sentence about it.
pub fn words(say: Messages, scope: &Scope) -> (String, String) {
    let described = |text: &str, note: &str| (text.to_owned(), note.to_owned());
    match scope {
        Scope::Resource(scope) => of_records(say, scope),
        Scope::Other("offline_access") => described(say.offline(), say.offline_note()),
        Scope::Other("online_access") => described(say.online(), say.online_note()),
        Scope::Other("openid") => described(say.own_name(), ""),
        Scope::Other("fhirUser") => described(say.own_record(), ""),
        Scope::Other("profile") => described(say.which_record(), ""),
        Scope::Other(other) => described(other, ""),
    }
}

fn of_records(say: Messages, scope: &ResourceScope) -> (String, String) {
    let Some(resource_type) = scope.resource_type else {
        let names: Vec<_> = wildcard(scope.level).map(|resource_type| plain(resource_type, say.language)).collect();
        return (say.all_of_these().to_owned(), names.join(", "));
    };
    let only = conditions(&scope.only, say.language, [" and whose ", " y "]);
    let only = if only.is_empty() { only } else { format!("{} {only}. ", say.only_those()) };
    let way = match (scope.read, scope.search, scope.write) {
        (_, _, true) => say.reads_only(),
        (true, false, false) => say.one_by_one(),
        (false, true, false) => say.only_searched(),
        (true, true, false) | (false, false, false) => "",
    };
    (plain(resource_type, say.language).to_owned(), format!("{only}{way}").trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fhir::{Language, ResourceType as T};

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
        let mut asked: Vec<_> = text.split(' ').filter(|written| !is_context(written)).collect();
        asked.sort_unstable();
        assert_eq!(all, asked);
        assert_eq!(groups.len(), Group::ALL.len());
        assert_eq!(super::groups(&ScopeSet::parse("launch/patient patient/Goal.rs").unwrap()).len(), 1);
    }

    #[test]
    fn special_scopes_are_described() {
        let say = Messages { language: Language::English, is_asked: false };
        let said = |scope: &str| words(say, &Scope::parse(scope).unwrap());
        let (text, note) = said("patient/Observation.rs?category=http://s|laboratory");
        assert_eq!(text, "test results, vital signs and other observations");
        assert_eq!(note, "Only those whose category is laboratory.");
        assert_eq!(said("user/Condition.r").1, "One by one, without searching.");
        assert_eq!(said("patient/Goal.read").1, "");
    }
}
