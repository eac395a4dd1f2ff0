//! The pages of a sign-out that an app requests.

use maud::html;

use super::Messages;
use super::frame::{hidden, leads_to, page};
use crate::http::reply::Reply;
use oauth::SignOutPage;

/// Returns the page that asks the user to confirm.
pub fn sign_out<B>(messages: Messages, content: &SignOutPage) -> Reply<B> {
    let body = html! {
        h1 { (messages.really_sign_out()) }
        @if let Some(app) = &content.app {
            p { (messages.asks_to_sign_out(&html! { strong { (app) } })) }
        }
        p { (messages.signed_in_as(&content.user)) " " (messages.apps_stop()) }
        form method="post" action="/oauth/logout" {
            (hidden(messages, &content.form_tokens))
            @for (name, value) in &content.request {
                input type="hidden" name=(name) value=(value);
            }
            p.actions { button type="submit" { (messages.sign_out()) } }
        }
        p.note { (messages.to_stay()) }
    };
    page(messages, 200, messages.sign_out(), &body, &leads_to(&content.form_tokens))
}

/// Returns the page after the sign-out.
pub fn signed_out<B>(messages: Messages) -> Reply<B> {
    let body = html! {
        h1 { (messages.you_are_signed_out()) }
        p { (messages.close_page()) " " a href="/" { (messages.go_to_app()) } }
    };
    page(messages, 200, messages.signed_out(), &body, &[])
}
