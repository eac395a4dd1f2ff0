//! The page for name and password.

use maud::{Markup, html};

use super::frame::{hidden, leads_to, page};
use super::passkeys;
use crate::api::form::encode;
use crate::api::reply::Reply;
use crate::api::sandbox::Person;
use crate::oauth::{PENDING_FIELD, ProviderButton, SignInFailure, SignInPage};

/// The page for name and password. After a failure it shows an alert, which screen readers announce first. In a sandbox
/// it lists the users with their passwords.
pub fn sign_in<B>(shown: &SignInPage, people: &[Person]) -> Reply<B> {
    let trouble = shown.trouble.map(|trouble| match trouble {
        SignInFailure::Wrong => "Name and password do not belong together. Please try again.",
        SignInFailure::Unregistered => {
            "Your account at the identity provider is not registered here. Please ask whoever runs this server."
        }
        SignInFailure::ProviderRefused => "The identity provider did not sign you in. You can try again.",
        SignInFailure::Passkey => "This passkey did not work. Please try again, or sign in another way.",
        SignInFailure::SomebodyElse => "The app was opened for somebody else. Please sign in as that person.",
    });
    let body = html! {
        h1 { "Sign in" }
        @if let Some(app) = &shown.app {
            p { "To let " strong { (app) } " ask for health records." }
        } @else {
            p { "To see what apps may do, and to withdraw it." }
        }
        @if let Some(trouble) = trouble {
            p.alert role="alert" { (trouble) }
        }
        form method="post" action="/oauth/login" {
            (hidden(&shown.marks))
            label for="username" { "Name" }
            input id="username" name="username" type="text" value=(shown.name) autocomplete="username"
                autocapitalize="none" spellcheck="false" maxlength="256" required;
            label for="password" { "Password" }
            input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required;
            p.actions { button type="submit" { "Sign in" } }
        }
        @if shown.passkeys.is_some() { (passkeys::sign_in(&shown.marks)) }
        @for provider in &shown.providers {
            p.actions { a.button href=(provider_address(shown, provider)) { "Sign in with " (provider.name) } }
        }
        @if !people.is_empty() { (test_users(&shown.name, people)) }
    };
    let reply = page(200, "Sign in", &body, &leads_to(&shown.marks));
    passkeys::with_script(reply, shown.passkeys.as_deref())
}

/// The address that leads to an identity provider. It is a link, since browsers hold redirects behind a form against
/// `form-action`, and those of a provider are not known.
fn provider_address(shown: &SignInPage, provider: &ProviderButton) -> String {
    let pending = shown.marks.pending.as_deref().map(|pending| (PENDING_FIELD, pending));
    let again = shown.is_again.then_some(("again", "1"));
    let query = encode(pending.into_iter().chain([("provider", provider.issuer.as_str())]).chain(again));
    format!("/oauth/provider?{query}")
}

/// The users of the sandbox: first of all the one whose name stands in the form.
fn test_users(name: &str, people: &[Person]) -> Markup {
    let (named, others): (Vec<_>, Vec<_>) = people.iter().partition(|person| person.name == name);
    html! {
        div.note {
            p { "This is a sandbox, and nobody in it is real." }
            @if named.is_empty() {
                (list(&others))
            } @else {
                (list(&named))
                details {
                    summary { "Other test users" }
                    (list(&others))
                }
            }
        }
    }
}

fn list(people: &[&Person]) -> Markup {
    html! {
        ul {
            @for Person { name, password, resource } in people {
                li { code { (name) } ", password " code { (password) } " " small { (resource) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fhir::splice;
    use crate::oauth::FormTokens;

    fn text(name: &str, people: &[Person]) -> String {
        let marks = FormTokens { pending: None, csrf: "c".into(), leads_to: None };
        let shown = SignInPage {
            marks,
            app: None,
            name: name.to_owned(),
            trouble: None,
            providers: Vec::new(),
            is_again: false,
            passkeys: None,
        };
        splice(sign_in::<String>(&shown, people).body)
    }

    #[test]
    fn a_sandbox_says_which_password_goes_with_the_name_in_the_form() {
        let person = |name: &str| Person {
            name: name.to_owned(),
            password: format!("the-password-of-{name}"),
            resource: format!("Practitioner/{name}"),
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
