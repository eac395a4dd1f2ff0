//! The parts of pages that are about passkeys. They need a script, which shows them; without it they stay hidden.

use maud::{Markup, html};

use super::frame::hidden;
use crate::api::reply::Reply;
use crate::oauth::{FormTokens, MOST_PASSKEYS, PasskeyList};

/// The script of the pages.
pub const SCRIPT: &str = include_str!("passkey.js");

/// Adds the script to the policy of a page, if passkeys are on. The policy allows exactly this script, and only the
/// request that it makes.
pub fn with_script<B>(reply: Reply<B>, origin: Option<&str>) -> Reply<B> {
    let Some(origin) = origin else { return reply };
    let known = reply.headers.iter().find(|(name, _)| *name == "Content-Security-Policy");
    let policy = known.map(|(_, policy)| policy.clone()).unwrap_or_default();
    let more = format!("script-src {origin}/oauth/passkey.js; connect-src {origin}/oauth/passkey/challenge");
    reply.with("Content-Security-Policy", format!("{policy}; {more}"))
}

/// The button of the sign-in page.
pub fn sign_in(marks: &FormTokens) -> Markup {
    html! {
        form method="post" action="/oauth/passkey" data-passkey="get" hidden {
            (hidden(marks))
            @for name in ["id", "client_data", "auth_data", "signature", "user_handle"] {
                input type="hidden" name=(name);
            }
            p.actions { button.quiet type="submit" { "Sign in with a passkey" } }
        }
        (script())
    }
}

/// The passkeys of a user, on the management page.
pub fn manage(list: &PasskeyList, marks: &FormTokens) -> Markup {
    let day = |seconds| chrono::DateTime::from_timestamp(seconds, 0).unwrap_or_default().date_naive().to_string();
    html! {
        section {
            h2 { "Passkeys" }
            @match list.changed.as_deref() {
                Some("added") => p.done role="status" { "The passkey was added." },
                Some("removed") => p.done role="status" { "The passkey was removed." },
                Some("failed") => p.alert role="alert" { "The passkeys were not changed. Please try again." },
                Some(_) | None => {},
            }
            @if list.passkeys.is_empty() { p { "You have no passkey." } }
            @for passkey in &list.passkeys {
                form method="post" action="/oauth/passkeys" {
                    (hidden(marks))
                    p {
                        strong { (passkey.name) } ", since " (day(passkey.created_at))
                        @if let Some(at) = passkey.used_at { ", last used " (day(at)) }
                        @if passkey.is_cloned { ". It does not work any more, since it may have been copied" }
                        "."
                    }
                    p.actions {
                        button.quiet type="submit" name="remove" value=(passkey.id)
                            aria-label={ "Remove the passkey " (passkey.name) } { "Remove" }
                    }
                }
            }
            @if !list.may_add {
                p { a href="/oauth/manage?again=1" { "Sign in again" } " to add a passkey." }
            } @else if list.passkeys.len() < MOST_PASSKEYS {
                form method="post" action="/oauth/passkeys" data-passkey="create" hidden {
                    (hidden(marks))
                    @for name in ["client_data", "attestation"] { input type="hidden" name=(name); }
                    label for="passkey-name" { "Name of the new passkey" }
                    input id="passkey-name" name="name" type="text" value="" maxlength="64" required;
                    p.actions { button.quiet type="submit" { "Add a passkey" } }
                }
                (script())
            }
        }
    }
}

fn script() -> Markup {
    html! { script src="/oauth/passkey.js" defer {} }
}
