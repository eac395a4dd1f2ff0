//! The page for name and password.

use maud::{Markup, html};

use super::Messages;
use super::frame::{hidden, leads_to, page};
use crate::authorization::sandbox::{Person, SIGN_IN_AS};
use crate::http::form::encode;
use crate::http::reply::Reply;
use oauth::{FormTokens, PENDING_FIELD, ProviderButton, SignInPage, UI_LOCALES};

/// Returns the page for name and password. After a failure, it shows an alert, which screen readers announce first. In
/// a sandbox, it lists the users with their passwords.
pub fn sign_in<B>(messages: Messages, content: &SignInPage, people: &[Person]) -> Reply<B> {
    let body = html! {
        h1 { (messages.sign_in()) }
        @if let Some(app) = &content.app {
            p { (messages.to_ask(&html! { strong { (app) } })) }
        } @else {
            p { (messages.to_manage()) }
        }
        @if let Some(failure) = content.failure {
            p.alert role="alert" { (messages.failure(failure)) }
        }
        form method="post" action="/oauth/login" {
            (hidden(messages, &content.form_tokens))
            label for="username" { (messages.name()) }
            input id="username" name="username" type="text" value=(content.name) autocomplete="username"
                autocapitalize="none" spellcheck="false" maxlength="256" required;
            label for="password" { (messages.password()) }
            input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required;
            p.actions { button type="submit" { (messages.sign_in()) } }
        }
        @for provider in &content.providers {
            p.actions { a.button href=(provider_address(messages, content, provider)) { (messages.sign_in_with(&provider.name)) } }
        }
        @if !people.is_empty() { (test_users(messages, content, people)) }
    };
    page(messages, 200, messages.sign_in(), &body, &leads_to(&content.form_tokens))
}

/// Returns the address that leads to an identity provider. It is a link, since browsers apply `form-action` to
/// redirects after a form, and the redirects of a provider are not known.
fn provider_address(messages: Messages, content: &SignInPage, provider: &ProviderButton) -> String {
    let pending = content.form_tokens.pending.as_deref().map(|pending| (PENDING_FIELD, pending));
    let again = content.is_again.then_some(("again", "1"));
    let language = messages.is_requested.then_some((UI_LOCALES, messages.language.tag())).filter(|_| pending.is_none());
    let query =
        encode(pending.into_iter().chain([("provider", provider.issuer.as_str())]).chain(again).chain(language));
    format!("/oauth/provider?{query}")
}

/// Returns the users of the sandbox, beginning with the one whose name is in the form.
fn test_users(messages: Messages, content: &SignInPage, people: &[Person]) -> Markup {
    let (named, others): (Vec<_>, Vec<_>) = people.iter().partition(|person| person.name == content.name);
    html! {
        div.note {
            p { (messages.sandbox()) }
            @if named.is_empty() {
                (list(messages, &content.form_tokens, &others))
            } @else {
                (list(messages, &content.form_tokens, &named))
                details {
                    summary { (messages.other_users()) }
                    (list(messages, &content.form_tokens, &others))
                }
            }
        }
    }
}

/// Returns a list of users with their passwords. A user's button signs in.
fn list(messages: Messages, form_tokens: &FormTokens, people: &[&Person]) -> Markup {
    html! {
        form method="post" action="/oauth/login" {
            (hidden(messages, form_tokens))
            ul.people {
                @for Person { name, password, full_name } in people {
                    li {
                        button.quiet type="submit" name=(SIGN_IN_AS) value=(name) { (messages.sign_in_as(name)) }
                        span {
                            (messages.with_password(&html! { code { (name) } }, &html! { code { (password) } }))
                            " " small { (full_name) }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fhir::{Language, splice};

    fn text(name: &str, people: &[Person]) -> String {
        let form_tokens = FormTokens { pending: None, csrf: "c".into(), leads_to: None };
        let content = SignInPage {
            form_tokens,
            app: None,
            name: name.to_owned(),
            failure: None,
            providers: Vec::new(),
            is_again: false,
        };
        let messages = Messages { language: Language::English, is_requested: false };
        splice(sign_in::<String>(messages, &content, people).body)
    }

    #[test]
    fn a_sandbox_says_which_password_goes_with_the_name_in_the_form() {
        let person = |name: &str| Person {
            name: name.to_owned(),
            password: format!("the-password-of-{name}"),
            full_name: format!("Dr. {name}"),
        };
        let people = [person("ada"), person("grace")];
        let of_grace = text("grace", &people);
        let at = |part: &str| of_grace.find(part).unwrap();
        assert!(at("the-password-of-grace") < at("Other test users"));
        assert!(at("Other test users") < at("the-password-of-ada"));
        for all in [text("", &people), text("somebody", &people)] {
            assert!(all.contains("the-password-of-ada") && !all.contains("Other test users"));
        }
        assert!(!text("ada", &[]).contains("sandbox"));
    }
}
