//! The patient selection, and the encounter selection.

use maud::{Markup, html};

use super::Messages;
use super::frame::{hidden, leads_to, page};
use crate::http::reply::Reply;
use oauth::{EncounterCard, FormTokens, PickEncounterPage, PickPage};

/// Returns the patient selection: a list of patients with name and birth date, and a search if there are more. The
/// button of a patient sends the form, so that none is preselected, and no one opens the wrong chart by mistake.
pub fn pick<B>(messages: Messages, content: &PickPage) -> Reply<B> {
    let choices = content.patients.iter().map(|card| {
        let details = html! {
            @if let Some(born) = &card.born { (messages.born(&messages.birth(born))) ", " }
            @if card.is_deceased { (messages.deceased()) ", " }
            (card.id)
        };
        choice("patient", &card.id, &html! { (card.name) }, &details)
    });
    let body = html! {
        h1 { (messages.choose_patient()) }
        p { (messages.one_patient(&html! { strong { (content.app) } })) " " (messages.signed_in_as(&content.user)) }
        @if content.more || !content.words.is_empty() {
            form method="post" action="/oauth/patient" role="search" {
                (hidden(messages, &content.form_tokens))
                label for="words" { (messages.find_patient()) }
                input id="words" name="words" type="search" value=(content.words) maxlength="128";
                p.actions { button.quiet type="submit" { (messages.find()) } }
            }
        }
        @if content.unread.is_some() {
            p.note { (messages.unread_patients()) }
        }
        @if content.patients.is_empty() {
            @if content.unread.is_none() { p { (messages.no_patient()) } }
        } @else {
            (selection(messages, &content.form_tokens, messages.patients(), choices))
        }
        @if content.more {
            p.note { (messages.more_patients()) }
        }
    };
    page(messages, 200, messages.choose_patient(), &body, &leads_to(&content.form_tokens))
}

/// Returns the encounter selection: the encounters of the patient, and a choice of none. Nothing is preselected.
pub fn pick_encounter<B>(messages: Messages, content: &PickEncounterPage) -> Reply<B> {
    let [app, patient] = [&content.app, &content.patient.name].map(|name| html! { strong { (name) } });
    let choices = content
        .encounters
        .iter()
        .map(|card| choice("encounter", &card.id, &visit(messages, card), &html! { (card.id) }));
    let none = choice("encounter", "", &html! { (messages.no_encounter()) }, &html! {});
    let body = html! {
        h1 { (messages.choose_encounter()) }
        p { (messages.one_encounter(&app, &patient)) " " (messages.signed_in_as(&content.user)) }
        (selection(messages, &content.form_tokens, messages.encounters(), choices.chain([none])))
    };
    page(messages, 200, messages.choose_encounter(), &body, &leads_to(&content.form_tokens))
}

fn selection(
    messages: Messages,
    form_tokens: &FormTokens,
    legend: &str,
    choices: impl Iterator<Item = Markup>,
) -> Markup {
    html! {
        form.long method="post" action="/oauth/patient" {
            (hidden(messages, form_tokens))
            fieldset {
                legend { (legend) }
                @for choice in choices { (choice) }
            }
        }
    }
}

/// Returns the button that selects a value and sends the form.
fn choice(name: &str, value: &str, title: &Markup, details: &Markup) -> Markup {
    html! {
        button.choice.row type="submit" name=(name) value=(value) {
            span {
                strong { (title) }
                small { (details) }
            }
        }
    }
}

/// Returns a description of an encounter: its type, and the day on which it began.
pub fn visit(messages: Messages, card: &EncounterCard) -> Markup {
    html! {
        @if card.title.is_empty() { (messages.some_visit()) } @else { (card.title) }
        @if let Some(since) = &card.since { ", " (messages.birth(since.get(..10).unwrap_or(since))) }
    }
}
