//! The pages of a sign-out that an app requests.

use maud::html;

use super::frame::{hidden, leads_to, page};
use crate::api::reply::Reply;
use crate::oauth::SignOutPage;

/// The page that asks the user to confirm.
pub fn sign_out<B>(shown: &SignOutPage) -> Reply<B> {
    let body = html! {
        h1 { "Sign out?" }
        @if let Some(app) = &shown.app {
            p { strong { (app) } " asks to sign you out." }
        }
        p { "You are signed in as " (shown.user) ". Apps that may work while you are signed in stop working too." }
        form method="post" action="/oauth/logout" {
            (hidden(&shown.marks))
            @for (name, value) in &shown.request {
                input type="hidden" name=(name) value=(value);
            }
            p.actions { button type="submit" { "Sign out" } }
        }
        p.note { "To stay signed in, close this page." }
    };
    page(200, "Sign out", &body, &leads_to(&shown.marks))
}

/// The page after the sign-out.
pub fn signed_out<B>() -> Reply<B> {
    let body = html! {
        h1 { "You are signed out" }
        p { "You can close this page." }
    };
    page(200, "Signed out", &body, &[])
}
