//! The common parts of all pages: the frame, and the Content-Security-Policy.

use crate::api::html::Html;
use crate::api::reply::{HeaderPolicy, Reply};
use crate::oauth::FormTokens;

/// The style sheet of the pages.
pub const STYLE: &str = include_str!("style.css");

/// A page. Its forms are sent to this server, which may redirect to `leads_to`. Browsers apply `form-action` to that
/// redirect too.
pub fn page<B>(status: u16, title: &str, body: &Html, leads_to: &[String]) -> Reply<B> {
    let html = Html::fill(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"stylesheet\" href=\"/oauth/style.css\">\n</head>\n<body>\n\
         <header><svg viewBox=\"0 0 64 64\" aria-hidden=\"true\"><path d=\"M4 37h16l5-15 9 26 6-17 3 6h17\"/></svg>edgechart</header>\n\
         <main>\n{}</main>\n</body>\n</html>\n",
        &[title.into(), body.into()],
    );
    let legal = |origin: &&String| origin.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.:/[]".contains(&b));
    let leads_to: String = leads_to.iter().filter(legal).map(|origin| format!(" {origin}")).collect();
    let policy = format!(
        "default-src 'none'; style-src 'self'; font-src 'self'; form-action 'self'{leads_to}; frame-ancestors 'none'; base-uri 'none'"
    );
    Reply::text(status, HeaderPolicy::Page, html.into_string()).with("Content-Security-Policy", policy)
}

/// A redirect to an app.
pub fn redirect<B>(address: &str) -> Reply<B> {
    Reply::empty(303, HeaderPolicy::Page).with("Location", address)
}

/// A page with an error.
pub fn refusal<B>(status: u16, title: &'static str, text: &str) -> Reply<B> {
    let body = Html::fill("<h1>{}</h1>\n<p>{}</p>\n", &[title.into(), text.into()]);
    page(status, title, &body, &[])
}

/// The hidden fields of every form.
pub fn hidden(marks: &FormTokens) -> Html {
    let mut fields = Html::fill("<input type=\"hidden\" name=\"csrf\" value=\"{}\">\n", &[(&marks.csrf).into()]);
    if let Some(pending) = &marks.pending {
        fields.push(&Html::fill("<input type=\"hidden\" name=\"interaction\" value=\"{}\">\n", &[pending.into()]));
    }
    fields
}

/// The address of an earlier step of a pending authorization.
pub fn address(pending: &str, step: &str) -> String {
    format!("/oauth/sign-in?interaction={pending}&{step}=1")
}

/// The origins to which the forms of a page may redirect.
pub fn leads_to(marks: &FormTokens) -> Vec<String> {
    marks.leads_to.iter().cloned().collect()
}
