//! The sign-in.

use super::frame::{hidden, leads_to, page};
use crate::api::html::Html;
use crate::api::reply::Reply;
use crate::oauth::{SignInPage, Trouble};

/// The page. Where something was wrong it says so, first of all to who listens to it.
pub fn sign_in<B>(shown: &SignInPage) -> Reply<B> {
    let why = match &shown.app {
        Some(app) => Html::fill("<p>To let <strong>{}</strong> ask for health records.</p>\n", &[app.into()]),
        None => Html::fill("<p>To see what apps may do, and to withdraw it.</p>\n", &[]),
    };
    let trouble = match shown.trouble {
        None => Html::NONE,
        Some(Trouble::Wrong) => alert("Name and password do not belong together. Please try again."),
        Some(Trouble::SomebodyElse) => alert("The app was opened for somebody else. Please sign in as that person."),
    };
    let body = Html::fill(
        "<h1>Sign in</h1>\n{}{}<form method=\"post\" action=\"/oauth/login\">\n{}\
         <label for=\"username\">Name</label>\n\
         <input id=\"username\" name=\"username\" type=\"text\" value=\"{}\" autocomplete=\"username\" \
         autocapitalize=\"none\" spellcheck=\"false\" maxlength=\"256\" required>\n\
         <label for=\"password\">Password</label>\n\
         <input id=\"password\" name=\"password\" type=\"password\" autocomplete=\"current-password\" maxlength=\"1024\" \
         required>\n\
         <p class=\"actions\"><button type=\"submit\">Sign in</button></p>\n</form>\n",
        &[(&why).into(), (&trouble).into(), (&hidden(&shown.marks)).into(), (&shown.name).into()],
    );
    page(200, "Sign in", &body, &leads_to(&shown.marks))
}

fn alert(text: &'static str) -> Html {
    Html::fill("<p class=\"alert\" role=\"alert\">{}</p>\n", &[text.into()])
}
