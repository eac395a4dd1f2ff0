//! The pages of a sign-out that an app requests.

use super::frame::{hidden, leads_to, page};
use crate::api::html::Html;
use crate::api::reply::Reply;
use crate::oauth::SignOutPage;

/// The page that asks the user to confirm.
pub fn sign_out<B>(shown: &SignOutPage) -> Reply<B> {
    let app = shown
        .app
        .as_deref()
        .map_or(Html::NONE, |app| Html::fill("<p><strong>{}</strong> asks to sign you out.</p>\n", &[app.into()]));
    let field = |(name, value): &(&'static str, String)| {
        Html::fill("<input type=\"hidden\" name=\"{}\" value=\"{}\">\n", &[(*name).into(), value.into()])
    };
    let fields: Html = shown.request.iter().map(field).collect();
    let body = Html::fill(
        "<h1>Sign out?</h1>\n{}<p>You are signed in as {}. Apps that may work while you are signed in stop working too.</p>\n\
         <form method=\"post\" action=\"/oauth/logout\">\n{}{}<p class=\"actions\">\
         <button type=\"submit\">Sign out</button></p>\n</form>\n\
         <p class=\"note\">To stay signed in, close this page.</p>\n",
        &[(&app).into(), (&shown.user).into(), (&hidden(&shown.marks)).into(), (&fields).into()],
    );
    page(200, "Sign out", &body, &leads_to(&shown.marks))
}

/// The page after the sign-out.
pub fn signed_out<B>() -> Reply<B> {
    let body = Html::fill("<h1>You are signed out</h1>\n<p>You can close this page.</p>\n", &[]);
    page(200, "Signed out", &body, &[])
}
