//! The page on which users see and withdraw the access of apps.

use maud::{Markup, html};

use super::Messages;
use super::consent::{groups, words};
use super::frame::{hidden, page};
use super::passkeys;
use crate::api::reply::Reply;
use crate::oauth::{AppAccess, FormTokens, ManagePage};
use crate::smart::{Level, Scope, ScopeSet};

/// The most patients that are named for an app. Of more the number is given.
const NAMED: usize = 50;

/// The management page.
pub fn manage<B>(say: Messages, content: &ManagePage) -> Reply<B> {
    let body = html! {
        h1 { (say.what_apps_may_do()) }
        p { (say.signed_in_as(&content.user)) }
        @if content.withdrawn {
            p.done role="status" { (say.withdrawn()) }
        }
        @if content.apps.is_empty() {
            p { (say.no_app()) }
        }
        @for app in &content.apps { (one(say, app, &content.form_tokens)) }
        @if let Some(list) = &content.passkeys { (passkeys::manage(say, list, &content.form_tokens)) }
        form method="post" action="/oauth/manage" {
            (hidden(say, &content.form_tokens))
            p.actions { button.quiet type="submit" name="action" value="sign-out" { (say.sign_out()) } }
        }
    };
    let origin = content.passkeys.as_ref().map(|list| list.origin.as_str());
    passkeys::with_script(page(say, 200, say.what_apps_may_do(), &body, &[]), origin)
}

/// One app: all that it may do, by however many grants, and the button that ends all of it.
fn one(say: Messages, app: &AppAccess, form_tokens: &FormTokens) -> Markup {
    let scopes = ScopeSet::parse(&app.scope).unwrap_or_default();
    let groups = groups(&scopes);
    let titles: Vec<_> = groups.iter().map(|(group, _)| group.title(say)).collect();
    let of_all = scopes.resource_scopes().any(|scope| scope.level == Level::User);
    let (since, until) = (say.day(app.since), say.day(app.expires_at));
    html! {
        section {
            h2 { (app.name) }
            p {
                @if let Some(used) = app.used_at { (say.used_access_of(&since, &say.day(used), &until)) }
                @else { (say.access_of(&since, &until)) }
                (patients(say, &app.patients))
                @if of_all { " " (say.of_all_others()) }
            }
            details {
                summary { (titles.join(" · ")) }
                ul {
                    @for (group, scopes) in &groups {
                        li { strong { (group.title(say)) } ": " (names(say, scopes)) }
                    }
                }
            }
            form method="post" action="/oauth/manage" {
                (hidden(say, form_tokens))
                p.actions {
                    button type="submit" name="withdraw" value=(app.client)
                        aria-label=(say.withdraw_of(&app.name)) { (say.withdraw()) }
                }
            }
        }
    }
}

/// The patients whose records an app may see.
fn patients(say: Messages, patients: &[String]) -> Markup {
    let (named, others) = patients.split_at(patients.len().min(NAMED));
    let named = named.join(", ");
    html! {
        @match (patients, others) {
            ([], _) => {},
            ([one], _) => { " " (say.of_patient(one)) },
            (_, []) => { " " (say.of_patients(&named)) },
            (_, more) => { " " (say.of_patients(&say.and_more(&named, &more.len()))) },
        }
    }
}

/// The titles of scopes, each once.
fn names(say: Messages, scopes: &[(&str, &Scope)]) -> String {
    let mut names: Vec<String> = Vec::new();
    for (text, _) in scopes.iter().map(|(_, scope)| words(say, scope)) {
        if !names.contains(&text) {
            names.push(text);
        }
    }
    names.join(", ")
}
