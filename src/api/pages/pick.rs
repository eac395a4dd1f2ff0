//! The patient selection.

use maud::{Markup, html};

use super::Messages;
use super::frame::{hidden, leads_to, page};
use crate::api::reply::Reply;
use crate::oauth::{PatientCard, PickPage};

/// The patient selection: a list of patients with name and birth date, and a search if there are more. In a sandbox the
/// first one is chosen already. Elsewhere nobody is, since that would invite to open the wrong chart.
pub fn pick<B>(say: Messages, shown: &PickPage, is_sandbox: bool) -> Reply<B> {
    let body = html! {
        h1 { (say.choose_patient()) }
        p { (say.one_patient(&html! { strong { (shown.app) } })) " " (say.signed_in_as(&shown.user)) }
        @if shown.more || !shown.words.is_empty() {
            form method="post" action="/oauth/patient" role="search" {
                (hidden(say, &shown.form_tokens))
                label for="words" { (say.find_patient()) }
                input id="words" name="words" type="search" value=(shown.words) maxlength="128";
                p.actions { button.quiet type="submit" { (say.find()) } }
            }
        }
        @if shown.unread.is_some() {
            p.note { (say.unread_patients()) }
        }
        @if shown.patients.is_empty() {
            @if shown.unread.is_none() { p { (say.no_patient()) } }
        } @else {
            form.long method="post" action="/oauth/patient" {
                (hidden(say, &shown.form_tokens))
                fieldset {
                    legend { (say.patients()) }
                    @for (n, card) in shown.patients.iter().enumerate() { (choice(say, card, is_sandbox && n == 0)) }
                }
                p.actions { button type="submit" { (say.go_on()) } }
            }
        }
        @if shown.more {
            p.note { (say.more_patients()) }
        }
    };
    page(say, 200, say.choose_patient(), &body, &leads_to(&shown.form_tokens))
}

fn choice(say: Messages, card: &PatientCard, is_chosen: bool) -> Markup {
    html! {
        label.choice.row {
            input type="radio" name="patient" value=(card.id) required checked[is_chosen];
            span {
                strong { (card.name) }
                small {
                    @if let Some(born) = &card.born { (say.born(&say.birth(born))) ", " }
                    (card.id)
                }
            }
        }
    }
}
