//! The page on which users see and withdraw the access of apps.

use maud::{Markup, html};

use super::Messages;
use super::consent::{describe, groups};
use super::frame::{hidden, page};
use super::groups::Group;
use crate::http::reply::Reply;
use oauth::{AppAccess, FormTokens, ManagePage, NAMED_PATIENTS, PatientCard};
use smart::{Level, Scope, ScopeSet};

/// Returns the management page.
pub fn manage<B>(messages: Messages, content: &ManagePage) -> Reply<B> {
    let body = html! {
        h1 { (messages.what_apps_may_do()) }
        p { (messages.signed_in_as(&content.user)) }
        @if content.withdrawn {
            p.done role="status" { (messages.withdrawn()) }
        }
        @if content.apps.is_empty() {
            p { (messages.no_app()) }
        }
        @for app in &content.apps { (app_entry(messages, app, &content.patients, &content.form_tokens)) }
        @if !content.links.is_empty() {
            section {
                h2 { (messages.links()) }
                @for link in &content.links {
                    form method="post" action="/oauth/manage" {
                        (hidden(messages, &content.form_tokens))
                        p {
                            strong { (link.label) } ". "
                            (messages.access_of(&messages.day(link.created_at), &messages.day(link.expires_at)))
                            (patients(messages, std::slice::from_ref(&link.patient), &content.patients))
                            @if link.attempts == 0 { " " (messages.link_used_up()) }
                        }
                        p.actions {
                            button type="submit" name="end" value=(link.id)
                                aria-label=(messages.end_link(&link.label)) { (messages.end()) }
                        }
                    }
                }
            }
        }
        form method="post" action="/oauth/manage" {
            (hidden(messages, &content.form_tokens))
            p.actions { button.quiet type="submit" name="action" value="sign-out" { (messages.sign_out()) } }
        }
        p.note { a href="/" { (messages.go_to_app()) } }
    };
    page(messages, 200, messages.what_apps_may_do(), &body, &[])
}

/// Returns the entry of one app: everything that it may do by all its grants, and the button that ends its access.
fn app_entry(messages: Messages, app: &AppAccess, cards: &[PatientCard], form_tokens: &FormTokens) -> Markup {
    let scopes = ScopeSet::parse(&app.scope).unwrap_or_default();
    let groups = groups(&scopes);
    let titles: Vec<_> = groups.iter().map(|(group, scopes)| title(messages, *group, scopes)).collect();
    let of_all = scopes.resource_scopes().any(|scope| scope.level == Level::User);
    let (since, until) = (messages.day(app.since), messages.day(app.expires_at));
    html! {
        section {
            h2 { (app.name) }
            p {
                @if let Some(used) = app.used_at { (messages.used_access_of(&since, &messages.day(used), &until)) }
                @else { (messages.access_of(&since, &until)) }
                (patients(messages, &app.patients, cards))
                @if of_all { " " (messages.of_all_others()) }
            }
            details {
                summary { (titles.join(" · ")) }
                ul {
                    @for (group, scopes) in &groups {
                        li { strong { (title(messages, *group, scopes)) } ": " (names(messages, scopes)) }
                    }
                }
            }
            form method="post" action="/oauth/manage" {
                (hidden(messages, form_tokens))
                p.actions {
                    button type="submit" name="withdraw" value=(app.client)
                        aria-label=(messages.withdraw_of(&app.name)) { (messages.withdraw()) }
                }
            }
        }
    }
}

/// Returns the title of a group. It indicates if some of its scopes cover only a part of what their names mean.
fn title(messages: Messages, group: Group, scopes: &[(&str, &Scope)]) -> String {
    let title = messages.group(group);
    if scopes.iter().any(|(_, scope)| is_part(scope)) {
        format!("{title} ({})", messages.not_all())
    } else {
        title.to_owned()
    }
}

/// Returns whether a scope opens only a part of what its name means.
fn is_part(scope: &Scope) -> bool {
    matches!(scope, Scope::Resource(scope) if !scope.only.is_empty())
}

/// Returns the patients whose records an app may see, by name if known. If there are many, returns their number.
fn patients(messages: Messages, patients: &[String], cards: &[PatientCard]) -> Markup {
    let name = |id: &String| cards.iter().find(|card| card.id == *id).map_or(id, |card| &card.name).clone();
    let (named, others) = patients.split_at(patients.len().min(NAMED_PATIENTS));
    let named = named.iter().map(name).collect::<Vec<_>>().join(", ");
    html! {
        @match (patients, others) {
            ([], _) => {},
            ([_], _) => { " " (messages.of_patient(&named)) },
            (_, []) => { " " (messages.of_patients(&named)) },
            (_, more) => { " " (messages.of_patients(&messages.and_more(&named, &more.len()))) },
        }
    }
}

/// Returns the titles of scopes, without duplicates. For parts of a type, they name the parts.
fn names(messages: Messages, scopes: &[(&str, &Scope)]) -> String {
    let mut names: Vec<String> = Vec::new();
    for (_, scope) in scopes {
        let (text, note) = describe(messages, scope);
        let text = if is_part(scope) { format!("{text} ({})", note.trim_end_matches('.')) } else { text };
        if !names.contains(&text) {
            names.push(text);
        }
    }
    names.join(", ")
}
