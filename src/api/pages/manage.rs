//! What apps may do, and how to withdraw it.

use super::consent::words;
use super::frame::{hidden, page};
use crate::api::html::Html;
use crate::api::reply::Reply;
use crate::oauth::{GrantRow, ManagePage, Marks, is_context};
use crate::smart::ScopeSet;

/// The page.
pub fn manage<B>(shown: &ManagePage) -> Reply<B> {
    let done = if shown.withdrawn {
        Html::fill("<p class=\"done\" role=\"status\">Withdrawn. The app has no access any more.</p>\n", &[])
    } else {
        Html::NONE
    };
    let apps: Html = shown.grants.iter().map(|(app, grant)| one(app, grant, &shown.marks)).collect();
    let apps = if shown.grants.is_empty() {
        Html::fill("<p>No app has access to health records in your name.</p>\n", &[])
    } else {
        apps
    };
    let body = Html::fill(
        "<h1>What apps may do</h1>\n<p>You are signed in as {}.</p>\n{}{}\
         <form method=\"post\" action=\"/oauth/manage\">\n{}<p class=\"actions\">\
         <button type=\"submit\" name=\"action\" value=\"sign-out\" class=\"quiet\">Sign out</button></p>\n</form>\n",
        &[(&shown.user).into(), (&done).into(), (&apps).into(), (&hidden(&shown.marks)).into()],
    );
    page(200, "What apps may do", &body, &[])
}

fn one(app: &str, grant: &GrantRow, marks: &Marks) -> Html {
    let scopes = ScopeSet::parse(&grant.scope).unwrap_or_default();
    let lines: Html = scopes
        .iter()
        .filter(|(written, _)| !is_context(written))
        .map(|(_, scope)| Html::fill("<li>{}</li>\n", &[(&words(scope).0).into()]))
        .collect();
    let patient = grant.patient.as_deref().map_or(Html::NONE, |id| Html::fill(", for the patient {}", &[id.into()]));
    let day = |seconds| chrono::DateTime::from_timestamp(seconds, 0).unwrap_or_default().date_naive().to_string();
    Html::fill(
        "<section>\n<h2>{}</h2>\n<p>Since {}, until {} at most{}.</p>\n<ul>\n{}</ul>\n\
         <form method=\"post\" action=\"/oauth/manage\">\n{}\
         <p class=\"actions\"><button type=\"submit\" name=\"withdraw\" value=\"{}\" aria-label=\"Withdraw the access of {}\">\
         Withdraw</button></p>\n</form>\n</section>\n",
        &[
            app.into(),
            (&day(grant.created_at)).into(),
            (&day(grant.expires_at)).into(),
            (&patient).into(),
            (&lines).into(),
            (&hidden(marks)).into(),
            (&grant.id).into(),
            app.into(),
        ],
    )
}
