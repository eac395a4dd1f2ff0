//! The consent page. It shows the requested scopes in a few groups, each of which opens to a checkbox for each scope,
//! with a description for patients.

use maud::{Markup, html};

use super::frame::{address, hidden, leads_to, page};
use crate::api::reply::Reply;
use crate::fhir::{ResourceType as T, Topic};
use crate::oauth::{ConsentPage, is_context};
use crate::smart::{Level, ResourceScope, Scope, ScopeSet, wildcard};

/// The most checkboxes that are shown with open groups. If there are more, the groups are closed.
const OPEN: usize = 6;

/// The consent page.
pub fn consent<B>(shown: &ConsentPage) -> Reply<B> {
    let groups = groups(&shown.scopes);
    let is_short = groups.iter().map(|(_, scopes)| scopes.len()).sum::<usize>() <= OPEN;
    let pending = shown.marks.pending.as_deref();
    let body = html! {
        h1 { "Allow " (shown.app) "?" }
        p {
            strong { (shown.app) } " would like to see " (whose(shown)) "."
            @if let Some(pending) = pending.filter(|_| shown.is_chosen) {
                " " a href=(address(pending, "pick")) { "Another patient" }
            }
        }
        p.note {
            "You are signed in as " (shown.user) "."
            @if let Some(pending) = pending {
                " " a href=(address(pending, "switch")) { "Not you?" }
            }
            " Open a group to leave something out."
        }
        form.long method="post" action="/oauth/consent" {
            (hidden(&shown.marks))
            @for (group, scopes) in &groups { (fieldset(*group, scopes, is_short)) }
            p.actions {
                button type="submit" name="decision" value="allow" { "Allow" }
                button.quiet type="submit" name="decision" value="deny" { "Deny" }
            }
        }
        p.note {
            "Whatever you decide, you go back to " (shown.marks.leads_to.as_deref().unwrap_or_default())
            ". You can withdraw it under " a href="/oauth/manage" { "what apps may do" } "."
        }
    };
    page(200, "Allow an app", &body, &leads_to(&shown.marks))
}

/// The patients whose records are requested, in words.
fn whose(shown: &ConsentPage) -> Markup {
    let of_all = shown.scopes.resource_scopes().any(|clinical| clinical.level == Level::User);
    if !of_all && shown.patient.is_none() {
        return html! { "who you are" };
    }
    html! {
        "the records of "
        @if of_all { strong { "every patient whom you may see" } }
        @if of_all && shown.patient.is_some() { ", first of " }
        @if let Some(card) = &shown.patient {
            strong { (card.name) }
            @if let Some(born) = &card.born { ", born " (born) }
        }
    }
}

/// A group of scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// The identity of the user, and the patient.
    Identity,
    /// Wildcards.
    Everything,
    /// Problems.
    Problems,
    /// Medications and vaccines.
    Medications,
    /// Observations of any kind.
    Results,
    /// Encounters, plans and care teams.
    Care,
    /// Documents and Provenance.
    Documents,
    /// Refresh tokens.
    Session,
}

impl Group {
    const ALL: [Self; 8] = [
        Self::Identity,
        Self::Everything,
        Self::Problems,
        Self::Medications,
        Self::Results,
        Self::Care,
        Self::Documents,
        Self::Session,
    ];

    /// Its heading.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Identity => "Identity and personal details",
            Self::Everything => "All kinds of records",
            Self::Problems => "Conditions and allergies",
            Self::Medications => "Medications and vaccinations",
            Self::Results => "Results and vital signs",
            Self::Care => "Care team and visits",
            Self::Documents => "Documents",
            Self::Session => "Stay connected",
        }
    }

    fn of(scope: &Scope) -> Self {
        match scope {
            Scope::Resource(scope) => scope.kind.map_or(Self::Everything, Self::of_kind),
            Scope::Other("offline_access" | "online_access") => Self::Session,
            Scope::Other(_) => Self::Identity,
        }
    }

    const fn of_kind(kind: T) -> Self {
        match kind.topic() {
            Topic::Identity => Self::Identity,
            Topic::Problems => Self::Problems,
            Topic::Medications => Self::Medications,
            Topic::Results => Self::Results,
            Topic::Care => Self::Care,
            Topic::Documents => Self::Documents,
        }
    }
}

/// The scopes as they were written, by group, without empty groups.
pub fn groups(scopes: &ScopeSet) -> Vec<(Group, Vec<(&str, &Scope)>)> {
    let of = |group| {
        let scopes = scopes.iter().filter(|(written, scope)| !is_context(written) && Group::of(scope) == group);
        (group, scopes.collect::<Vec<_>>())
    };
    Group::ALL.into_iter().map(of).filter(|(_, scopes)| !scopes.is_empty()).collect()
}

fn fieldset(group: Group, scopes: &[(&str, &Scope)], is_open: bool) -> Markup {
    let boxes = html! {
        @for (written, scope) in scopes { (tick(written, scope)) }
    };
    if group == Group::Session {
        return html! { div.special { (boxes) } };
    }
    let names: Vec<_> = scopes.iter().map(|(_, scope)| words(scope).0).collect();
    html! {
        details open[is_open] {
            summary { strong { (group.title()) } em { "not all of it" } small { (names.join(", ")) } }
            (boxes)
        }
    }
}

fn tick(written: &str, scope: &Scope) -> Markup {
    let (text, note) = words(scope);
    html! {
        label.choice {
            input type="checkbox" name="scope" value=(written) checked;
            span { strong { (text) } small { (note) } " " code { (written) } }
        }
    }
}

/// The title of a scope, and a sentence about it.
pub fn words(scope: &Scope) -> (String, String) {
    let plain = |text: &str, note: &str| (text.to_owned(), note.to_owned());
    match scope {
        Scope::Resource(scope) => of_records(scope),
        Scope::Other("offline_access") => plain(
            "Keep access when you are away",
            "It can read the records at any time, until you withdraw it. It must come by every 90 days.",
        ),
        Scope::Other("online_access") => {
            plain("Keep access while you are signed in", "It can read the records until you sign out.")
        }
        Scope::Other("openid") => plain("the name that you sign in with", ""),
        Scope::Other("fhirUser") => plain("which record is your own, and that record", ""),
        Scope::Other("profile") => plain("which record is your own", ""),
        Scope::Other(other) => plain(other, ""),
    }
}

fn of_records(scope: &ResourceScope) -> (String, String) {
    let Some(kind) = scope.kind else {
        let kinds: Vec<_> = wildcard(scope.level).map(T::plain).collect();
        return ("all of these".to_owned(), kinds.join(", "));
    };
    let only: Vec<_> = scope.only.iter().map(crate::search::Clause::in_short).collect();
    let only = if only.is_empty() { String::new() } else { format!("Only those whose {}. ", only.join(" and whose ")) };
    let way = match (scope.read, scope.search, scope.write) {
        (_, _, true) => "This server only reads: nothing is ever changed.",
        (true, false, false) => "One by one, without searching.",
        (false, true, false) => "Only found by searching.",
        (true, true, false) | (false, false, false) => "",
    };
    (kind.plain().to_owned(), format!("{only}{way}").trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_scope_is_in_one_group() {
        let kinds: Vec<_> = T::ALL.iter().map(|kind| format!("patient/{}.read", kind.name())).collect();
        let text = format!("launch/patient openid fhirUser offline_access user/*.read {}", kinds.join(" "));
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
        let said = |scope: &str| words(&Scope::parse(scope).unwrap());
        let (text, note) = said("patient/Observation.rs?category=http://s|laboratory");
        assert_eq!(text, "test results, vital signs and other observations");
        assert_eq!(note, "Only those whose category is laboratory.");
        assert_eq!(said("user/Condition.r").1, "One by one, without searching.");
        assert_eq!(said("patient/Goal.read").1, "");
    }
}
