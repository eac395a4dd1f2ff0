//! The page on which users see and withdraw the access of apps.

use super::consent::{Group, groups, words};
use super::frame::{hidden, page};
use crate::api::html::Html;
use crate::api::reply::Reply;
use crate::oauth::{AppAccess, FormTokens, ManagePage};
use crate::smart::{Level, Scope, ScopeSet};

/// The most patients that are named for an app. Of more the number is given.
const NAMED: usize = 50;

/// The management page.
pub fn manage<B>(shown: &ManagePage) -> Reply<B> {
    let done = if shown.withdrawn {
        Html::fill("<p class=\"done\" role=\"status\">Withdrawn. The app has no access any more.</p>\n", &[])
    } else {
        Html::NONE
    };
    let apps = if shown.apps.is_empty() {
        Html::fill("<p>No app has access to health records in your name.</p>\n", &[])
    } else {
        shown.apps.iter().map(|app| one(app, &shown.marks)).collect()
    };
    let body = Html::fill(
        "<h1>What apps may do</h1>\n<p>You are signed in as {}.</p>\n{}{}\
         <form method=\"post\" action=\"/oauth/manage\">\n{}<p class=\"actions\">\
         <button type=\"submit\" name=\"action\" value=\"sign-out\" class=\"quiet\">Sign out</button></p>\n</form>\n",
        &[(&shown.user).into(), (&done).into(), (&apps).into(), (&hidden(&shown.marks)).into()],
    );
    page(200, "What apps may do", &body, &[])
}

/// An app with the access of all its grants, and a button that withdraws all of them.
fn one(app: &AppAccess, marks: &FormTokens) -> Html {
    let scopes = ScopeSet::parse(&app.scope).unwrap_or_default();
    let line = |(group, scopes): (Group, Vec<(&str, &Scope)>)| {
        let mut names: Vec<String> = Vec::new();
        for (text, _) in scopes.into_iter().map(|(_, scope)| words(scope)) {
            if !names.contains(&text) {
                names.push(text);
            }
        }
        Html::fill("<li><strong>{}</strong>: {}</li>\n", &[group.title().into(), (&names.join(", ")).into()])
    };
    let groups = groups(&scopes);
    let titles: Vec<_> = groups.iter().map(|(group, _)| group.title()).collect();
    let lines: Html = groups.into_iter().map(line).collect();
    let patients = match app.patients.as_slice() {
        [] => String::new(),
        [one] => format!(" Of the patient {one}."),
        all => {
            let (named, others) = all.split_at(all.len().min(NAMED));
            let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
            format!(" Of the patients {}{more}.", named.join(", "))
        }
    };
    let of_all = scopes.resource_scopes().any(|scope| scope.level == Level::User);
    let of_all = if of_all { " Also of every other patient whom you may see." } else { "" };
    let day = |seconds| chrono::DateTime::from_timestamp(seconds, 0).unwrap_or_default().date_naive().to_string();
    let used = app.used_at.map_or_else(String::new, |at| format!(", last used {}", day(at)));
    Html::fill(
        "<section>\n<h2>{}</h2>\n<p>Since {}{}, until {} at most.{}{}</p>\n<details>\n<summary>{}</summary>\n<ul>\n{}</ul>\n</details>\n\
         <form method=\"post\" action=\"/oauth/manage\">\n{}\
         <p class=\"actions\"><button type=\"submit\" name=\"withdraw\" value=\"{}\" aria-label=\"Withdraw the access of {}\">\
         Withdraw</button></p>\n</form>\n</section>\n",
        &[
            (&app.name).into(),
            (&day(app.since)).into(),
            (&used).into(),
            (&day(app.expires_at)).into(),
            (&patients).into(),
            of_all.into(),
            (&titles.join(" · ")).into(),
            (&lines).into(),
            (&hidden(marks)).into(),
            (&app.client).into(),
            (&app.name).into(),
        ],
    )
}
