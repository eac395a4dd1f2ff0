//! The consent page. It shows the requested scopes in a few groups, each of which opens to a checkbox for each scope,
//! with a description for patients.

use super::frame::{address, hidden, leads_to, page};
use crate::api::html::Html;
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
    let boxes: Html = groups.iter().map(|(group, scopes)| fieldset(*group, scopes, is_short)).collect();
    let another = match &shown.marks.pending {
        Some(name) if shown.is_chosen => {
            Html::fill(" <a href=\"{}\">Another patient</a>", &[(&address(name, "pick")).into()])
        }
        Some(_) | None => Html::NONE,
    };
    let switch = match &shown.marks.pending {
        Some(name) => Html::fill(" <a href=\"{}\">Not you?</a>", &[(&address(name, "switch")).into()]),
        None => Html::NONE,
    };
    let body = Html::fill(
        "<h1>Allow {}?</h1>\n<p><strong>{}</strong> would like to see {}.{}</p>\n\
         <p class=\"note\">You are signed in as {}.{} Open a group to leave something out.</p>\n\
         <form method=\"post\" action=\"/oauth/consent\" class=\"long\">\n{}{}\
         <p class=\"actions\"><button type=\"submit\" name=\"decision\" value=\"allow\">Allow</button>\n\
         <button type=\"submit\" name=\"decision\" value=\"deny\" class=\"quiet\">Deny</button></p>\n\
         </form>\n<p class=\"note\">Whatever you decide, you go back to {}. You can withdraw it under \
         <a href=\"/oauth/manage\">what apps may do</a>.</p>\n",
        &[
            (&shown.app).into(),
            (&shown.app).into(),
            (&whose(shown)).into(),
            (&another).into(),
            (&shown.user).into(),
            (&switch).into(),
            (&hidden(&shown.marks)).into(),
            (&boxes).into(),
            shown.marks.leads_to.as_deref().unwrap_or_default().into(),
        ],
    );
    page(200, "Allow an app", &body, &leads_to(&shown.marks))
}

/// The patients whose records are requested, in words.
fn whose(shown: &ConsentPage) -> Html {
    let born = shown.patient.as_ref().and_then(|card| card.born.as_deref());
    let born = born.map_or(Html::NONE, |born| Html::fill(", born {}", &[born.into()]));
    let of_level = |level| shown.scopes.resource_scopes().any(|scope| scope.level == level);
    match &shown.patient {
        Some(card) if of_level(Level::User) => Html::fill(
            "the records of <strong>every patient whom you may see</strong>, first of <strong>{}</strong>{}",
            &[(&card.name).into(), (&born).into()],
        ),
        Some(card) => Html::fill("the records of <strong>{}</strong>{}", &[(&card.name).into(), (&born).into()]),
        None if of_level(Level::User) => {
            Html::fill("the records of <strong>every patient whom you may see</strong>", &[])
        }
        None => Html::fill("who you are", &[]),
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

    const fn of(scope: &Scope) -> Self {
        match scope {
            Scope::Resource(ResourceScope { kind: None, .. }) => Self::Everything,
            Scope::Resource(ResourceScope { kind: Some(kind), .. }) => Self::of_kind(*kind),
            Scope::Other(name) => match name.as_bytes() {
                b"offline_access" | b"online_access" => Self::Session,
                _ => Self::Identity,
            },
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

fn fieldset(group: Group, scopes: &[(&str, &Scope)], is_open: bool) -> Html {
    let boxes: Html = scopes.iter().map(|(written, scope)| tick(written, scope)).collect();
    if group == Group::Session {
        return Html::fill("<div class=\"special\">\n{}</div>\n", &[(&boxes).into()]);
    }
    let names: Vec<_> = scopes.iter().map(|(_, scope)| words(scope).0).collect();
    Html::fill(
        "<details{}>\n<summary><strong>{}</strong><em>not all of it</em><small>{}</small></summary>\n{}</details>\n",
        &[
            (&if is_open { Html::fill(" open", &[]) } else { Html::NONE }).into(),
            group.title().into(),
            (&names.join(", ")).into(),
            (&boxes).into(),
        ],
    )
}

fn tick(written: &str, scope: &Scope) -> Html {
    let (text, note) = words(scope);
    Html::fill(
        "<label class=\"choice\"><input type=\"checkbox\" name=\"scope\" value=\"{}\" checked>\n\
         <span><strong>{}</strong><small>{}</small> <code>{}</code></span></label>\n",
        &[written.into(), (&text).into(), (&note).into(), written.into()],
    )
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
    fn scopes_stand_in_a_few_groups_each_once() {
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
    fn a_scope_says_what_is_special_about_it() {
        let said = |scope: &str| words(&Scope::parse(scope).unwrap());
        let (text, note) = said("patient/Observation.rs?category=http://s|laboratory");
        assert_eq!(text, "test results, vital signs and other observations");
        assert_eq!(note, "Only those whose category is laboratory.");
        assert_eq!(said("user/Condition.r").1, "One by one, without searching.");
        assert_eq!(said("patient/Goal.read").1, "");
    }
}
