//! The question for consent: every scope in words that a patient understands, each with a box of its own.

use super::frame::{hidden, leads_to, page};
use crate::api::html::Html;
use crate::api::reply::Reply;
use crate::fhir::ResourceType::{self as T};
use crate::oauth::{ConsentPage, is_context};
use crate::smart::{Clinical, Level, Scope, wildcard};

/// The page.
pub fn consent<B>(shown: &ConsentPage) -> Reply<B> {
    let whose = match &shown.patient {
        Some(card) => {
            let born = card.born.as_deref().map_or(Html::NONE, |born| Html::fill(", born {}", &[born.into()]));
            Html::fill("<p>It asks about <strong>{}</strong>{}.</p>\n", &[(&card.name).into(), (&born).into()])
        }
        None => Html::NONE,
    };
    let boxes: Html = shown
        .scopes
        .iter()
        .filter(|(written, _)| !is_context(written))
        .map(|(written, scope)| tick(written, scope))
        .collect();
    let body = Html::fill(
        "<h1>Allow {}?</h1>\n<p><strong>{}</strong> would like to see health records. You are signed in as {}.</p>\n{}\
         <form method=\"post\" action=\"/oauth/consent\">\n{}\
         <fieldset>\n<legend>What it may do</legend>\n<p class=\"note\">Untick what it may not.</p>\n{}</fieldset>\n\
         <p class=\"actions\"><button type=\"submit\" name=\"decision\" value=\"allow\">Allow</button>\n\
         <button type=\"submit\" name=\"decision\" value=\"deny\" class=\"quiet\">Deny</button>\n\
         <button type=\"submit\" name=\"decision\" value=\"switch\" class=\"link\">I am somebody else</button></p>\n\
         </form>\n<p class=\"note\">Whatever you decide, you go back to {}. You can withdraw it at any time under \
         <a href=\"/oauth/manage\">what apps may do</a>.</p>\n",
        &[
            (&shown.app).into(),
            (&shown.app).into(),
            (&shown.user).into(),
            (&whose).into(),
            (&hidden(&shown.marks)).into(),
            (&boxes).into(),
            shown.marks.leads_to.as_deref().unwrap_or_default().into(),
        ],
    );
    page(200, "Allow an app", &body, &leads_to(&shown.marks))
}

fn tick(written: &str, scope: &Scope) -> Html {
    let (text, note) = words(scope);
    let class =
        if matches!(scope, Scope::Other("offline_access" | "online_access")) { "choice special" } else { "choice" };
    Html::fill(
        "<label class=\"{}\"><input type=\"checkbox\" name=\"scope\" value=\"{}\" checked>\n\
         <span><strong>{}</strong><small>{}</small><code>{}</code></span></label>\n",
        &[class.into(), written.into(), (&text).into(), (&note).into(), written.into()],
    )
}

/// What a scope means, and more about it.
pub fn words(scope: &Scope) -> (String, String) {
    let plain = |text: &str, note: &str| (text.to_owned(), note.to_owned());
    match scope {
        Scope::Clinical(clinical) => of_records(clinical),
        Scope::Other("offline_access") => plain(
            "Keep access when you are away",
            "It can read the records at any time, also when you do not use it, until you withdraw it. It must come by \
             every 90 days.",
        ),
        Scope::Other("online_access") => {
            plain("Keep access while you are signed in", "It can read the records until you sign out.")
        }
        Scope::Other("openid") => plain("Know that it is you", "It learns the name that you sign in with."),
        Scope::Other("fhirUser" | "profile") => plain("Know who you are", "It learns which record is your own."),
        Scope::Other(other) => (format!("Use {other}"), String::new()),
    }
}

fn of_records(clinical: &Clinical) -> (String, String) {
    let whose = match clinical.level {
        Level::Patient => "of this one patient",
        Level::User => "of everybody whose records you may see",
        Level::System => "of all patients",
    };
    let verb = match (clinical.read, clinical.search, clinical.write) {
        (true, _, false) => "Read",
        (false, true, false) => "Search",
        (_, _, true) if clinical.read || clinical.search => "Read and change",
        (_, _, true) => "Change",
        (false, false, false) => "Nothing of",
    };
    let what = clinical.kind.map_or("all health records", |kind| kind_words(kind));
    let mut note = match clinical.kind {
        None => {
            let kinds: Vec<_> = wildcard(clinical.level).map(kind_words).collect();
            format!("That is: {}.", kinds.join(", "))
        }
        Some(_) => String::new(),
    };
    if !clinical.only.is_empty() {
        note.push_str("Only some of them: those that the filter below names.");
    }
    if clinical.write {
        note.push_str(" This server only reads: nothing is ever changed.");
    }
    (format!("{verb} {what} {whose}"), note.trim_start().to_owned())
}

/// What people call the records of a type.
const fn kind_words(kind: T) -> &'static str {
    match kind {
        T::AllergyIntolerance => "allergies",
        T::Binary => "files",
        T::CarePlan => "care plans",
        T::CareTeam => "care teams",
        T::Condition => "health problems and diagnoses",
        T::Coverage => "insurance",
        T::Device => "implants and devices",
        T::DiagnosticReport => "test reports",
        T::DocumentReference => "notes and documents",
        T::Encounter => "visits and stays",
        T::Endpoint => "technical addresses",
        T::Goal => "goals",
        T::Group => "groups of people",
        T::Immunization => "vaccinations",
        T::Location => "places of care",
        T::Media => "pictures",
        T::Medication => "medicines",
        T::MedicationDispense => "dispensed medicines",
        T::MedicationRequest => "prescriptions",
        T::Observation => "test results, vital signs and other observations",
        T::Organization => "organizations",
        T::Patient => "name, birth date, address and other personal details",
        T::Practitioner => "the names of clinicians",
        T::PractitionerRole => "the roles of clinicians",
        T::Procedure => "procedures",
        T::Provenance => "where records come from",
        T::Questionnaire => "questionnaires",
        T::QuestionnaireResponse => "answers to questionnaires",
        T::RelatedPerson => "relatives and contacts",
        T::ServiceRequest => "orders and referrals",
        T::Specimen => "samples",
    }
}
