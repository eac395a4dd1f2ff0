//! Renders every page in each language, and checks that all its texts come from the table.

use std::collections::BTreeSet;

use super::messages::Texts;
use super::*;
use crate::authorization::sandbox::Person;
use crate::http::reply::Reply;
use fhir::{Language, ResourceType as T, splice};
use oauth::{
    AppAccess, ConsentPage, EncounterCard, FormTokens, HealthLink, ManagePage, PatientCard, PickEncounterPage,
    PickPage, ProviderButton, Resource, SignInFailure, SignInPage, SignOutPage,
};
use smart::ScopeSet;

/// The data on the pages. It contains no word of any language.
const DATA: &str = "<X1>";

fn data() -> String {
    DATA.to_owned()
}

fn form_tokens() -> FormTokens {
    FormTokens { pending: Some(data()), csrf: data(), leads_to: Some("https://x1.example".to_owned()) }
}

fn sign_in_page(failure: Option<SignInFailure>) -> SignInPage {
    SignInPage {
        form_tokens: form_tokens(),
        app: failure.is_none().then(data),
        name: data(),
        failure,
        providers: vec![ProviderButton { issuer: data(), name: data() }],
        is_again: false,
    }
}

fn card() -> PatientCard {
    PatientCard { id: data(), name: data(), born: Some("2019-05-14".to_owned()), is_deceased: true }
}

fn consent_page(scopes: &str, patient: Option<PatientCard>) -> ConsentPage {
    let scopes = ScopeSet::parse(scopes).unwrap();
    let (app, user, redirect) = (data(), data(), format!("http://{DATA}"));
    let encounter = patient.as_ref().map(|_| visit_card(Some("2019-05-14")));
    let is_encounter_chosen = scopes.has("launch/encounter");
    ConsentPage {
        form_tokens: form_tokens(),
        app,
        user,
        patient,
        is_chosen: true,
        encounter,
        is_encounter_chosen,
        scopes,
        refresh_days: 90,
        redirect,
        resource: Resource::Mcp,
        claimed_name: Some(data()),
    }
}

fn visit_card(since: Option<&str>) -> EncounterCard {
    let title = since.map(|_| data()).unwrap_or_default();
    EncounterCard { id: data(), title, since: since.map(str::to_owned) }
}

fn manage_page(patients: usize, used_at: Option<i64>) -> ManagePage {
    let app = AppAccess {
        client: data(),
        name: data(),
        scope:
            "openid fhirUser profile offline_access user/*.read patient/Goal.read patient/Observation.rs?category=x1|x2"
                .to_owned(),
        patients: vec![data(); patients],
        since: 1_800_000_000,
        used_at,
        expires_at: 1_800_000_000,
    };
    let apps = if patients == 3 { Vec::new() } else { vec![app] };
    let (user, withdrawn) = (data(), patients == 3);
    let link = HealthLink { label: data(), patient: data(), attempts: u32::from(!withdrawn), ..HealthLink::default() };
    let (form_tokens, patients, links) = (form_tokens(), vec![card()], vec![link]);
    ManagePage { form_tokens, user, apps, patients, withdrawn, links }
}

/// Returns all pages except those of the launch in a sandbox, which `tests/signin/languages.rs` checks.
fn pages(messages: Messages) -> Vec<Reply<String>> {
    let people = [DATA, "<X2>"].map(|name| Person { name: name.to_owned(), password: data(), full_name: data() });
    let scopes: Vec<_> = T::served().iter().map(|resource_type| format!("user/{resource_type}.r")).collect();
    let failures = [
        SignInFailure::Wrong,
        SignInFailure::SomebodyElse,
        SignInFailure::Unregistered,
        SignInFailure::ProviderRefused,
    ];
    let more = "openid fhirUser profile offline_access online_access patient/*.s patient/Observation.write \
                patient/Goal.s patient/Observation.rs?category=x1,x2&status=x3 patient/Condition.r?code=x1|";
    let mut all = vec![
        sign_in(messages, &sign_in_page(None), &people),
        consent(messages, &consent_page(&scopes.join(" "), Some(card()))),
        consent(messages, &consent_page(more, Some(card()))),
        consent(messages, &consent_page("user/*.read", None)),
        consent(messages, &consent_page("openid", None)),
        consent(messages, &consent_page("patient/Condition.rs patient/Observation.rs", Some(card()))),
        consent(messages, &consent_page("launch/encounter patient/Goal.rs", Some(card()))),
        consent(messages, &consent_page("launch/encounter patient/Goal.rs", None)),
        pick_encounter(
            messages,
            &PickEncounterPage {
                form_tokens: form_tokens(),
                app: data(),
                user: data(),
                patient: card(),
                encounters: vec![visit_card(Some("2019-05-14T10:00:00Z")), visit_card(None)],
            },
        ),
        manage(messages, &manage_page(0, None)),
        manage(messages, &manage_page(1, Some(1_800_000_000))),
        manage(messages, &manage_page(3, None)),
        manage(messages, &manage_page(99, None)),
        sign_out(
            messages,
            &SignOutPage { form_tokens: form_tokens(), app: Some(data()), user: data(), request: Vec::new() },
        ),
        signed_out(messages),
        provider_failed(messages, DATA),
        refusal(messages, 400, messages.not_valid_here(), messages.begin_again()),
        ended(messages),
    ];
    all.extend(failures.map(|failure| sign_in(messages, &sign_in_page(Some(failure)), &[])));
    let unread = Some(data());
    for (patients, more, words, unread) in
        [(vec![card()], true, data(), unread), (Vec::new(), false, String::new(), None)]
    {
        let (app, user) = (data(), data());
        let page = PickPage { form_tokens: form_tokens(), app, user, patients, unread, more, words };
        all.push(pick(messages, &page));
    }
    all
}

/// Returns the texts of a page, and the attributes that are shown or read out.
fn texts_of(page: &str) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    let page = ["&lt;X1&gt;", "&lt;X2&gt;"].iter().fold(page.to_owned(), |page, data| page.replace(data, ""));
    for part in page.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap();
        texts.insert(text.to_owned());
        for attribute in ["aria-label=\"", "placeholder=\"", "title=\"", "alt=\""] {
            texts.extend(tag.split(attribute).skip(1).map(|value| value.split('"').next().unwrap().to_owned()));
        }
    }
    // Only texts with words of at least two letters are kept.
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    texts.retain(|text| text.split(|c: char| !c.is_alphanumeric()).any(is_word));
    texts
}

#[test]
fn no_page_has_a_text_of_another_language() {
    let [english, spanish] = Language::ALL.map(|language| pages(Messages { language, is_requested: false }));
    assert_eq!(english.len(), spanish.len());
    // The name of the server, and texts for programs: scopes and addresses.
    let same = |text: &str| {
        text == "edgechart"
            || text == "https://x1.example"
            || text.contains("user/")
            || text.contains("patient/")
            || ["openid", "fhirUser", "profile", "offline_access", "online_access"].contains(&text)
    };
    let parts = messages::TABLE.iter().map(|(_, _, text)| text(Texts::of(Language::English)));
    let parts = parts.flat_map(|english| english.split(['{', '}']).step_by(2));
    let parts: Vec<_> = parts.map(str::trim).filter(|part| part.len() > 4).collect();
    for (english, spanish) in english.into_iter().zip(spanish) {
        let header = |name: &str| spanish.headers.iter().find(|(of, _)| *of == name).map(|(_, value)| value.clone());
        assert_eq!(header("Content-Language").as_deref(), Some("es"));
        assert_eq!(header("Vary").as_deref(), Some("Cookie, Accept-Language"));
        let [english, spanish] = [english, spanish].map(|page| splice(page.body));
        assert!(spanish.contains("<html lang=\"es\">") && english.contains("<html lang=\"en\">"));
        assert!(!spanish.contains(['{', '}']), "a placeholder is not filled: {spanish}");
        assert!(!spanish.contains("<X"), "data is not escaped: {spanish}");
        let [english, spanish] = [texts_of(&english), texts_of(&spanish)];
        let both: Vec<_> = english.intersection(&spanish).filter(|text| !same(text)).collect();
        assert!(both.is_empty(), "{both:?}");
        for text in &spanish {
            let left: Vec<_> = parts.iter().filter(|part| text.contains(**part)).collect();
            assert!(left.is_empty(), "{left:?} in {text}");
        }
    }
}

#[test]
fn a_page_whose_language_was_asked_for_depends_on_no_header_and_asks_for_it_again() {
    let messages = Messages { language: Language::Spanish, is_requested: true };
    let page = consent::<String>(messages, &consent_page("openid", None));
    assert!(page.headers.iter().all(|(name, _)| *name != "Vary"));
    let text = splice(page.body);
    assert!(text.contains("href=\"/oauth/manage?ui_locales=es\"") && !text.contains("name=\"ui_locales\""), "{text}");
    let form_tokens = FormTokens { pending: None, ..form_tokens() };
    let text = splice(sign_in::<String>(messages, &SignInPage { form_tokens, ..sign_in_page(None) }, &[]).body);
    assert_eq!(text.matches("<input type=\"hidden\" name=\"ui_locales\" value=\"es\">").count(), 1, "{text}");
    assert!(text.contains("&amp;ui_locales=es"), "{text}");
}
