//! The patient selection.

use super::frame::{hidden, leads_to, page};
use crate::api::html::Html;
use crate::api::reply::Reply;
use crate::oauth::{PatientCard, PickPage};

/// The patient selection: a list of patients with name and birth date, and a search if there are more.
pub fn pick<B>(shown: &PickPage) -> Reply<B> {
    let choices: Html = shown.patients.iter().map(choice).collect();
    let list = if shown.patients.is_empty() {
        Html::fill("<p>No patient was found.</p>\n", &[])
    } else {
        Html::fill(
            "<form method=\"post\" action=\"/oauth/patient\" class=\"long\">\n{}<fieldset>\n<legend>Patients</legend>\n{}</fieldset>\n\
             <p class=\"actions\"><button type=\"submit\">Continue</button></p>\n</form>\n",
            &[(&hidden(&shown.marks)).into(), (&choices).into()],
        )
    };
    let search = if shown.more || !shown.words.is_empty() {
        Html::fill(
            "<form method=\"post\" action=\"/oauth/patient\" role=\"search\">\n{}\
             <label for=\"words\">Find a patient by name</label>\n\
             <input id=\"words\" name=\"words\" type=\"search\" value=\"{}\" maxlength=\"128\">\n\
             <p class=\"actions\"><button type=\"submit\" class=\"quiet\">Find</button></p>\n</form>\n",
            &[(&hidden(&shown.marks)).into(), (&shown.words).into()],
        )
    } else {
        Html::NONE
    };
    let more = if shown.more {
        Html::fill("<p class=\"note\">There are more than these. Find others by name.</p>\n", &[])
    } else {
        Html::NONE
    };
    let body = Html::fill(
        "<h1>Choose a patient</h1>\n<p><strong>{}</strong> works with one patient at a time. You are signed in as {}.</p>\n\
         {}{}{}",
        &[(&shown.app).into(), (&shown.user).into(), (&search).into(), (&list).into(), (&more).into()],
    );
    page(200, "Choose a patient", &body, &leads_to(&shown.marks))
}

fn choice(card: &PatientCard) -> Html {
    let born = card.born.as_deref().map_or(Html::NONE, |born| Html::fill("born <time>{}</time>, ", &[born.into()]));
    Html::fill(
        "<label class=\"choice row\"><input type=\"radio\" name=\"patient\" value=\"{}\" required>\n\
         <span><strong>{}</strong><small>{}{}</small></span></label>\n",
        &[(&card.id).into(), (&card.name).into(), (&born).into(), (&card.id).into()],
    )
}
