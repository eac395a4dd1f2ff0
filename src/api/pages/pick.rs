//! The patient selection, and the encounter selection.

use maud::{Markup, html};

use super::Messages;
use super::frame::{hidden, leads_to, page};
use crate::reply::Reply;
use oauth::{EncounterCard, PatientCard, PickEncounterPage, PickPage};

/// Returns the patient selection: a list of patients with name and birth date, and a search if there are more. None is
/// preselected, so that nobody opens the wrong chart by mistake.
pub fn pick<B>(messages: Messages, content: &PickPage) -> Reply<B> {
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
            form.long method="post" action="/oauth/patient" {
                (hidden(messages, &content.form_tokens))
                fieldset {
                    legend { (messages.patients()) }
                    @for card in &content.patients { (choice(messages, card)) }
                }
                p.actions { button type="submit" { (messages.go_on()) } }
            }
        }
        @if content.more {
            p.note { (messages.more_patients()) }
        }
    };
    page(messages, 200, messages.choose_patient(), &body, &leads_to(&content.form_tokens))
}

fn choice(messages: Messages, card: &PatientCard) -> Markup {
    html! {
        label.choice.row {
            input type="radio" name="patient" value=(card.id) required;
            span {
                strong { (card.name) }
                small {
                    @if let Some(born) = &card.born { (messages.born(&messages.birth(born))) ", " }
                    (card.id)
                }
            }
        }
    }
}

/// Returns the encounter selection: the encounters of the patient, and a choice of none. Nothing is preselected.
pub fn pick_encounter<B>(messages: Messages, content: &PickEncounterPage) -> Reply<B> {
    let [app, patient] = [&content.app, &content.patient.name].map(|name| html! { strong { (name) } });
    let body = html! {
        h1 { (messages.choose_encounter()) }
        p { (messages.one_encounter(&app, &patient)) " " (messages.signed_in_as(&content.user)) }
        form.long method="post" action="/oauth/patient" {
            (hidden(messages, &content.form_tokens))
            fieldset {
                legend { (messages.encounters()) }
                @for card in &content.encounters {
                    label.choice.row {
                        input type="radio" name="encounter" value=(card.id) required;
                        span { strong { (visit(messages, card)) } small { (card.id) } }
                    }
                }
                label.choice.row {
                    input type="radio" name="encounter" value="" required;
                    span { strong { (messages.no_encounter()) } }
                }
            }
            p.actions { button type="submit" { (messages.go_on()) } }
        }
    };
    page(messages, 200, messages.choose_encounter(), &body, &leads_to(&content.form_tokens))
}

/// Returns a description of an encounter: its type, and the day on which it began.
pub fn visit(messages: Messages, card: &EncounterCard) -> Markup {
    html! {
        @if card.title.is_empty() { (messages.some_visit()) } @else { (card.title) }
        @if let Some(since) = &card.since { ", " (messages.birth(since.get(..10).unwrap_or(since))) }
    }
}
