//! The passkey sections of pages. They need a script, which shows them; without it they stay hidden.

use maud::{Markup, html};

use super::Messages;
use super::frame::{hidden, manage_address};
use crate::http::reply::Reply;
use oauth::{FormTokens, MAX_PASSKEYS, Passkey, PasskeyList};

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

/// Returns the button of the sign-in page.
pub fn sign_in(messages: Messages, form_tokens: &FormTokens) -> Markup {
    html! {
        form method="post" action="/oauth/passkey" data-passkey="get" data-failure=(messages.passkey_unused()) hidden {
            (hidden(messages, form_tokens))
            @for name in ["id", "client_data", "auth_data", "signature", "user_handle"] {
                input type="hidden" name=(name);
            }
            p.actions { button.quiet type="submit" { (messages.sign_in_with_passkey()) } }
        }
        (script())
    }
}

/// Returns the passkeys of a user, on the management page.
pub fn manage(messages: Messages, list: &PasskeyList, form_tokens: &FormTokens) -> Markup {
    html! {
        section {
            h2 { (messages.passkeys()) }
            @match list.changed.as_deref() {
                Some("added") => p.done role="status" { (messages.passkey_added()) },
                Some("removed") => p.done role="status" { (messages.passkey_removed()) },
                Some("failed") => p.alert role="alert" { (messages.passkeys_failed()) },
                Some(_) | None => {},
            }
            @if list.passkeys.is_empty() { p { (messages.no_passkey()) } }
            @for passkey in &list.passkeys {
                form method="post" action="/oauth/passkeys" {
                    (hidden(messages, form_tokens))
                    p {
                        (passkey_entry(messages, passkey))
                        @if passkey.is_cloned { " " (messages.cloned_passkey()) }
                    }
                    @if list.may_change {
                        p.actions {
                            button.quiet type="submit" name="remove" value=(passkey.id)
                                aria-label=(messages.remove_passkey(&passkey.name)) { (messages.remove()) }
                        }
                    }
                }
            }
            @if !list.may_change {
                p { (messages.to_change_passkeys(&html! { a href=(manage_address(messages, true)) { (messages.sign_in_again()) } })) }
            } @else if list.passkeys.len() < MAX_PASSKEYS {
                form method="post" action="/oauth/passkeys" data-passkey="create"
                    data-failure=(messages.passkey_unused()) hidden {
                    (hidden(messages, form_tokens))
                    @for name in ["client_data", "attestation"] { input type="hidden" name=(name); }
                    label for="passkey-name" { (messages.name_of_passkey()) }
                    input id="passkey-name" name="name" type="text" value="" maxlength="64" required;
                    p.actions { button.quiet type="submit" { (messages.add_passkey()) } }
                }
                (script())
            }
        }
    }
}

fn passkey_entry(messages: Messages, passkey: &Passkey) -> Markup {
    let (name, since) = (html! { strong { (passkey.name) } }, messages.day(passkey.created_at));
    match passkey.used_at {
        Some(used) => messages.used_passkey(&name, &since, &messages.day(used)),
        None => messages.passkey(&name, &since),
    }
}

fn script() -> Markup {
    html! { script src="/oauth/passkey.js" defer {} }
}
