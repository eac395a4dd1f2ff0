//! The page on which users see and withdraw the access of apps.

use maud::{Markup, html};

use super::consent::{groups, words};
use super::frame::{hidden, page};
use super::passkeys;
use crate::api::reply::Reply;
use crate::oauth::{AppAccess, FormTokens, ManagePage};
use crate::smart::{Level, Scope, ScopeSet};

/// The most patients that are named for an app. Of more the number is given.
const NAMED: usize = 50;

/// The management page.
pub fn manage<B>(shown: &ManagePage) -> Reply<B> {
    let body = html! {
        h1 { "What apps may do" }
        p { "You are signed in as " (shown.user) "." }
        @if shown.withdrawn {
            p.done role="status" { "Withdrawn. The app has no access any more." }
        }
        @if shown.apps.is_empty() {
            p { "No app has access to health records in your name." }
        }
        @for app in &shown.apps { (one(app, &shown.marks)) }
        @if let Some(list) = &shown.passkeys { (passkeys::manage(list, &shown.marks)) }
        form method="post" action="/oauth/manage" {
            (hidden(&shown.marks))
            p.actions { button.quiet type="submit" name="action" value="sign-out" { "Sign out" } }
        }
    };
    let origin = shown.passkeys.as_ref().map(|list| list.origin.as_str());
    passkeys::with_script(page(200, "What apps may do", &body, &[]), origin)
}

/// One app: all that it may do, by however many grants, and the button that ends all of it.
fn one(app: &AppAccess, marks: &FormTokens) -> Markup {
    let scopes = ScopeSet::parse(&app.scope).unwrap_or_default();
    let groups = groups(&scopes);
    let titles: Vec<_> = groups.iter().map(|(group, _)| group.title()).collect();
    let of_all = scopes.resource_scopes().any(|scope| scope.level == Level::User);
    let day = |seconds| chrono::DateTime::from_timestamp(seconds, 0).unwrap_or_default().date_naive().to_string();
    html! {
        section {
            h2 { (app.name) }
            p {
                "Since " (day(app.since))
                @if let Some(at) = app.used_at { ", last used " (day(at)) }
                ", until " (day(app.expires_at)) " at most."
                (patients(&app.patients))
                @if of_all { " Also of every other patient whom you may see." }
            }
            details {
                summary { (titles.join(" · ")) }
                ul {
                    @for (group, scopes) in &groups {
                        li { strong { (group.title()) } ": " (names(scopes)) }
                    }
                }
            }
            form method="post" action="/oauth/manage" {
                (hidden(marks))
                p.actions {
                    button type="submit" name="withdraw" value=(app.client)
                        aria-label={ "Withdraw the access of " (app.name) } { "Withdraw" }
                }
            }
        }
    }
}

/// The patients whose records an app may see.
fn patients(patients: &[String]) -> String {
    match patients {
        [] => String::new(),
        [one] => format!(" Of the patient {one}."),
        all => {
            let (named, others) = all.split_at(all.len().min(NAMED));
            let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
            format!(" Of the patients {}{more}.", named.join(", "))
        }
    }
}

/// The titles of scopes, each once.
fn names(scopes: &[(&str, &Scope)]) -> String {
    let mut names: Vec<String> = Vec::new();
    for (text, _) in scopes.iter().map(|(_, scope)| words(scope)) {
        if !names.contains(&text) {
            names.push(text);
        }
    }
    names.join(", ")
}
