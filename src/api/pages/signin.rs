//! The sign-in.

use super::frame::{hidden, leads_to, page};
use crate::api::html::Html;
use crate::api::reply::Reply;
use crate::api::settings::Environment;
use crate::oauth::{SignInPage, Trouble};

/// The page. Where something was wrong it says so, first of all to who listens to it; in a playground it says whom to be.
pub fn sign_in<B>(shown: &SignInPage, environment: Environment) -> Reply<B> {
    let why = match &shown.app {
        Some(app) => Html::fill("<p>To let <strong>{}</strong> ask for health records.</p>\n", &[app.into()]),
        None => Html::fill("<p>To see what apps may do, and to withdraw it.</p>\n", &[]),
    };
    let trouble = match shown.trouble {
        None => Html::NONE,
        Some(Trouble::Wrong) => alert("Name and password do not belong together. Please try again."),
        Some(Trouble::SomebodyElse) => alert("The app was opened for somebody else. Please sign in as that person."),
    };
    let playground = match environment {
        Environment::Production => Html::NONE,
        Environment::Sandbox => Html::fill(
            "<p class=\"note\">This is a playground, and nobody in it is real. Sign in as <code>amara</code>, password \
             <code>amara-sandbox</code>, or as <a href=\"/sandbox.html\" target=\"_blank\">another test user</a>.</p>\n",
            &[],
        ),
    };
    let body = Html::fill(
        "<h1>Sign in</h1>\n{}{}{}<form method=\"post\" action=\"/oauth/login\">\n{}\
         <label for=\"username\">Name</label>\n\
         <input id=\"username\" name=\"username\" type=\"text\" value=\"{}\" autocomplete=\"username\" \
         autocapitalize=\"none\" spellcheck=\"false\" maxlength=\"256\" required>\n\
         <label for=\"password\">Password</label>\n\
         <input id=\"password\" name=\"password\" type=\"password\" autocomplete=\"current-password\" maxlength=\"1024\" \
         required>\n\
         <p class=\"actions\"><button type=\"submit\">Sign in</button></p>\n</form>\n",
        &[(&why).into(), (&playground).into(), (&trouble).into(), (&hidden(&shown.marks)).into(), (&shown.name).into()],
    );
    page(200, "Sign in", &body, &leads_to(&shown.marks))
}

fn alert(text: &'static str) -> Html {
    Html::fill("<p class=\"alert\" role=\"alert\">{}</p>\n", &[text.into()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fhir::splice;
    use crate::oauth::Marks;

    #[test]
    fn only_a_playground_says_whom_to_be() {
        let marks = Marks { interaction: None, csrf: "c".into(), leads_to: None };
        let shown = SignInPage { marks, app: None, name: String::new(), trouble: None };
        let text = |environment| splice(sign_in::<String>(&shown, environment).body);
        assert!(text(Environment::Sandbox).contains("amara-sandbox"));
        assert!(!text(Environment::Production).contains("sandbox"));
    }
}
