//! The pages of a sign-out that an app requests.

use maud::html;

use super::Messages;
use super::frame::{hidden, leads_to, page};
use crate::api::reply::Reply;
use crate::oauth::SignOutPage;

/// The page that asks the user to confirm.
pub fn sign_out<B>(say: Messages, content: &SignOutPage) -> Reply<B> {
    let body = html! {
        h1 { (say.really_sign_out()) }
        @if let Some(app) = &content.app {
            p { (say.asks_to_sign_out(&html! { strong { (app) } })) }
        }
        p { (say.signed_in_as(&content.user)) " " (say.apps_stop()) }
        form method="post" action="/oauth/logout" {
            (hidden(say, &content.form_tokens))
            @for (name, value) in &content.request {
                input type="hidden" name=(name) value=(value);
            }
            p.actions { button type="submit" { (say.sign_out()) } }
        }
        p.note { (say.to_stay()) }
    };
    page(say, 200, say.sign_out(), &body, &leads_to(&content.form_tokens))
}

/// The page after the sign-out.
pub fn signed_out<B>(say: Messages) -> Reply<B> {
    let body = html! {
        h1 { (say.you_are_signed_out()) }
        p { (say.close_page()) }
    };
    page(say, 200, say.signed_out(), &body, &[])
}
