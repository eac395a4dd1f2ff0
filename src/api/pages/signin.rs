//! The page for name and password.

use super::frame::{hidden, leads_to, page};
use crate::api::html::Html;
use crate::api::reply::Reply;
use crate::api::sandbox::Person;
use crate::oauth::{SignInFailure, SignInPage};

/// The page for name and password. After a failure it shows an alert, which screen readers announce first. In a sandbox
/// it lists the users with their passwords.
pub fn sign_in<B>(shown: &SignInPage, people: &[Person]) -> Reply<B> {
    let why = match &shown.app {
        Some(app) => Html::fill("<p>To let <strong>{}</strong> ask for health records.</p>\n", &[app.into()]),
        None => Html::fill("<p>To see what apps may do, and to withdraw it.</p>\n", &[]),
    };
    let trouble = match shown.trouble {
        None => Html::NONE,
        Some(SignInFailure::Wrong) => alert("Name and password do not belong together. Please try again."),
        Some(SignInFailure::SomebodyElse) => {
            alert("The app was opened for somebody else. Please sign in as that person.")
        }
    };
    let body = Html::fill(
        "<h1>Sign in</h1>\n{}{}<form method=\"post\" action=\"/oauth/login\">\n{}\
         <label for=\"username\">Name</label>\n\
         <input id=\"username\" name=\"username\" type=\"text\" value=\"{}\" autocomplete=\"username\" \
         autocapitalize=\"none\" spellcheck=\"false\" maxlength=\"256\" required>\n\
         <label for=\"password\">Password</label>\n\
         <input id=\"password\" name=\"password\" type=\"password\" autocomplete=\"current-password\" maxlength=\"1024\" \
         required>\n\
         <p class=\"actions\"><button type=\"submit\">Sign in</button></p>\n</form>\n{}",
        &[
            (&why).into(),
            (&trouble).into(),
            (&hidden(&shown.marks)).into(),
            (&shown.name).into(),
            (&test_users(&shown.name, people)).into(),
        ],
    );
    page(200, "Sign in", &body, &leads_to(&shown.marks))
}

fn alert(text: &'static str) -> Html {
    Html::fill("<p class=\"alert\" role=\"alert\">{}</p>\n", &[text.into()])
}

/// The users of the sandbox, beginning with the one whose name is in the form.
fn test_users(name: &str, people: &[Person]) -> Html {
    if people.is_empty() {
        return Html::NONE;
    }
    let list = |people: &mut dyn Iterator<Item = &Person>| -> Html {
        let one = |person: &Person| {
            let parts = [(&person.name).into(), (&person.password).into(), (&person.resource).into()];
            Html::fill("<li><code>{}</code>, password <code>{}</code> <small>{}</small></li>\n", &parts)
        };
        people.map(one).collect()
    };
    let named = people.iter().filter(|person| person.name == name);
    let others = list(&mut people.iter().filter(|person| person.name != name));
    let (first, rest) = match named.clone().next() {
        None => (others, Html::NONE),
        Some(_) => {
            let rest = "<details>\n<summary>Other test users</summary>\n<ul>\n{}</ul>\n</details>\n";
            (list(&mut named.into_iter()), Html::fill(rest, &[(&others).into()]))
        }
    };
    Html::fill(
        "<div class=\"note\">\n<p>This is a sandbox, and nobody in it is real.</p>\n\
         <ul>\n{}</ul>\n{}</div>\n",
        &[(&first).into(), (&rest).into()],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fhir::splice;
    use crate::oauth::FormTokens;

    fn text(name: &str, people: &[Person]) -> String {
        let marks = FormTokens { pending: None, csrf: "c".into(), leads_to: None };
        let shown = SignInPage { marks, app: None, name: name.to_owned(), trouble: None };
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
