//! The common parts of all pages: the frame, and the Content-Security-Policy.

use maud::{DOCTYPE, Markup, html};

use super::Messages;
use crate::http::form::encode;
use crate::http::reply::{HeaderPolicy, Reply};
use oauth::{FormTokens, PENDING_FIELD, UI_LOCALES};

/// The style sheet of the pages, preceded by the colours and the typeface that the app and other apps share.
pub const STYLE: &str = concat!(include_str!("theme.css"), include_str!("style.css"));

/// Returns a page. Its forms lead to this server, and from there to `leads_to`: a browser checks the redirect after a
/// form by `form-action` too. Control characters become U+FFFD; markup has none, so all of them come from outside.
pub fn page<B>(messages: Messages, status: u16, title: &str, body: &Markup, leads_to: &[String]) -> Reply<B> {
    let html = html! {
        (DOCTYPE)
        html lang=(messages.language.tag()) {
            head {
                meta charset="utf-8";
                title { (title) }
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                link rel="stylesheet" href="/oauth/style.css";
            }
            body {
                header {
                    svg viewBox="0 0 64 64" aria-hidden="true" { path d="M4 37h16l5-15 9 26 6-17 3 6h17" {} }
                    "edgechart"
                }
                main { (body) }
            }
        }
    };
    let html = html.into_string().replace(char::is_control, "\u{fffd}");
    let legal = |origin: &&String| origin.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.:/[]".contains(&b));
    let leads_to: String = leads_to.iter().filter(legal).map(|origin| format!(" {origin}")).collect();
    let policy = format!(
        "default-src 'none'; style-src 'self'; font-src 'self'; form-action 'self'{leads_to}; frame-ancestors 'none'; base-uri 'none'"
    );
    let reply = Reply::text(status, HeaderPolicy::Page, html)
        .with("Content-Security-Policy", policy)
        .with("Content-Language", messages.language.tag());
    if messages.is_requested { reply } else { reply.with("Vary", "Cookie, Accept-Language") }
}

/// Returns a redirect to an app.
pub fn redirect<B>(address: &str) -> Reply<B> {
    Reply::empty(303, HeaderPolicy::Page).with("Location", address)
}

/// Returns a page with an error.
pub fn refusal<B>(messages: Messages, status: u16, title: &'static str, text: &str) -> Reply<B> {
    let body = html! {
        h1 { (title) }
        p { (text) }
    };
    page(messages, status, title, &body, &[])
}

/// Returns the page for a request that was already answered, or that nobody answered in time. Users get here by the
/// Back button, or with a form that was already sent.
pub fn ended<B>(messages: Messages) -> Reply<B> {
    let apps = html! { a href=(manage_address(messages)) { (messages.what_apps_may()) } };
    let body = html! {
        h1 { (messages.has_ended()) }
        p { (messages.ended_why()) }
        p { (messages.ended_next()) }
        p.note { (messages.withdraw_under(&apps)) }
    };
    page(messages, 400, messages.has_ended(), &body, &[])
}

/// Returns the page after a fault of an identity provider, with the address from which to try again.
pub fn provider_failed<B>(messages: Messages, again: &str) -> Reply<B> {
    let body = html! {
        h1 { (messages.did_not_work()) }
        p { (messages.provider_failed()) }
        p { a href=(again) { (messages.try_again()) } }
    };
    page(messages, 502, messages.did_not_work(), &body, &[])
}

/// Returns the hidden fields of every form. A pending authorization stores its own language.
pub fn hidden(messages: Messages, form_tokens: &FormTokens) -> Markup {
    html! {
        input type="hidden" name="csrf" value=(form_tokens.csrf);
        @if let Some(pending) = &form_tokens.pending {
            input type="hidden" name=(PENDING_FIELD) value=(pending);
        } @else if messages.is_requested {
            input type="hidden" name=(UI_LOCALES) value=(messages.language.tag());
        }
    }
}

/// Returns the address of an earlier step of a pending authorization.
pub fn address(pending: &str, step: &str) -> String {
    format!("/oauth/sign-in?{PENDING_FIELD}={pending}&{step}=1")
}

/// Returns the address of the page with the access of apps.
pub fn manage_address(messages: Messages) -> String {
    let language = messages.is_requested.then_some((UI_LOCALES, messages.language.tag()));
    let query = encode(language);
    if query.is_empty() { "/oauth/manage".to_owned() } else { format!("/oauth/manage?{query}") }
}

/// Returns the origins to which the forms of a page may redirect.
pub fn leads_to(form_tokens: &FormTokens) -> Vec<String> {
    form_tokens.leads_to.iter().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fhir::{Language, splice};

    #[test]
    fn a1_outside_text_is_text_and_nothing_else() {
        let [attribute, text] = ["\"><script>", "a & 'b' {}\u{0}\n"];
        let messages = Messages { language: Language::English, is_requested: false };
        let page =
            splice(page::<String>(messages, 200, attribute, &html! { p title=(attribute) { (text) } }, &[]).body);
        assert!(page.contains("<title>&quot;&gt;&lt;script&gt;</title>"), "{page}");
        assert!(page.contains("<p title=\"&quot;&gt;&lt;script&gt;\">a &amp; 'b' {}\u{fffd}\u{fffd}</p>"), "{page}");
        assert!(!page.contains(char::is_control), "{page}");
    }
}
