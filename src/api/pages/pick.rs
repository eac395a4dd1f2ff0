//! The patient selection.

use maud::{Markup, html};

use super::frame::{hidden, leads_to, page};
use crate::api::reply::Reply;
use crate::oauth::{PatientCard, PickPage};

/// The patient selection: a list of patients with name and birth date, and a search if there are more.
pub fn pick<B>(shown: &PickPage) -> Reply<B> {
    let body = html! {
        h1 { "Choose a patient" }
        p {
            strong { (shown.app) } " works with one patient at a time. You are signed in as " (shown.user) "."
        }
        @if shown.more || !shown.words.is_empty() {
            form method="post" action="/oauth/patient" role="search" {
                (hidden(&shown.marks))
                label for="words" { "Find a patient by name" }
                input id="words" name="words" type="search" value=(shown.words) maxlength="128";
                p.actions { button.quiet type="submit" { "Find" } }
            }
        }
        @if shown.patients.is_empty() {
            p { "No patient was found." }
        } @else {
            form.long method="post" action="/oauth/patient" {
                (hidden(&shown.marks))
                fieldset {
                    legend { "Patients" }
                    @for card in &shown.patients { (choice(card)) }
                }
                p.actions { button type="submit" { "Continue" } }
            }
        }
        @if shown.more {
            p.note { "There are more than these. Find others by name." }
        }
    };
    page(200, "Choose a patient", &body, &leads_to(&shown.marks))
}

fn choice(card: &PatientCard) -> Markup {
    html! {
        label.choice.row {
            input type="radio" name="patient" value=(card.id) required;
            span {
                strong { (card.name) }
                small {
                    @if let Some(born) = &card.born { "born " time { (born) } ", " }
                    (card.id)
                }
            }
        }
    }
}
