//! The context of a launch besides the patient: the encounter, the banner, the intent and the style. The names of tests
//! with the prefix `g10` have the numbers of the certification kit for 170.315(g)(10).

use api::ServiceBaseUrls;
use serde_json::{Value, json};

use super::launches::{launch, token};
use super::tokens::refresh;
use super::{code, exchange, request, sign_in, text};
use crate::world::{Answered, Browser, World, encoded, hidden, offered, ticks};

/// Prepares a launch of the public client for the user `dr`, with these additional members.
fn prepared(world: &World, members: &Value) -> Answered {
    let ehr = text(&token(world, "launch"), "access_token");
    let mut body = json!({"client_id": "pub", "user": "dr", "patient": "a"});
    body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    launch(world, &ehr, &body)
}

/// Returns the consent page of the user `dr` after a launch.
fn consent_after<'a>(world: &'a World, members: &Value, scope: &str) -> (Browser<'a>, Answered) {
    let handle = text(&prepared(world, members), "launch");
    let (browser, consent) = sign_in(world, "dr", &request(&[("scope", scope), ("launch", &handle)]));
    assert_eq!(consent.status, 200, "{}", consent.text);
    (browser, consent)
}

const EHR_SCOPE: &str = "launch openid offline_access user/Patient.rs user/Encounter.rs";

/// Returns the token response after a launch.
fn launched(world: &World, members: &Value) -> Answered {
    let (browser, consent) = consent_after(world, members, EHR_SCOPE);
    exchange(world, &browser.allow(&consent).heard()["code"], &[])
}

fn read(world: &World, path: &str, token: &str) -> u16 {
    world.ask("GET", &format!("/fhir/r4/{path}"), &[("Authorization", &format!("Bearer {token}"))], "").status
}

#[test]
fn g10_3_8_15_a_launch_gives_the_encounter_that_is_open_and_it_can_be_read() {
    let world = World::new();
    let (browser, consent) = consent_after(&world, &json!({"encounter": "ea2"}), EHR_SCOPE);
    assert!(
        consent.text.contains("It is about this visit: Check-up, <time datetime=\"2024-05-02\">2 May 2024</time>.")
    );
    assert!(!consent.text.contains("Another visit"), "the EHR decides");
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    assert_eq!(text(&tokens, "encounter"), "ea2", "an id, without its type");
    assert_eq!(read(&world, "Encounter/ea2", &text(&tokens, "access_token")), 200);
    // The grant keeps the encounter.
    let again = refresh(&world, &text(&tokens, "refresh_token"), &[]);
    assert_eq!(text(&again, "encounter"), "ea2");
    assert_eq!(launched(&world, &json!({})).json().get("encounter"), None, "none is open");
    assert_eq!(launched(&world, &json!({"encounter": ""})).json().get("encounter"), None);
}

#[test]
fn g10_9_20_introspection_has_the_encounter() {
    let world = World::new();
    let tokens = launched(&world, &json!({"encounter": "ea1"}));
    for name in ["access_token", "refresh_token"] {
        let form = encoded(&[("token", &text(&tokens, name))]);
        let client =
            "UPDATE clients SET registration = json_set(registration, '$.introspect', json('true')) WHERE id = 'sys'";
        world.execute(client);
        let basic = ("Authorization", "Basic c3lzOnN5cy1zZWNyZXQtb2YtYS1nb29kLWxlbmd0aC0wMTIzNDU2Nzg5");
        let state = world.ask("POST", "/oauth/introspect", &[basic], &form).json();
        assert_eq!((&state["active"], &state["encounter"]), (&json!(true), &json!("ea1")), "{name}");
    }
}

#[test]
fn lc10_an_encounter_of_another_patient_or_an_unseen_one_is_no_context() {
    let world = World::new();
    for (members, why) in [
        (json!({"encounter": "eb1"}), "another patient's"),
        (json!({"encounter": "ec1", "patient": "c"}), "of a patient whom the user may not see"),
        (json!({"encounter": "none"}), "unknown"),
        (json!({"encounter": "ea1,ea2"}), "two"),
        (json!({"encounter": "Encounter/ea1"}), "no id"),
        (json!({"encounter": "ea1", "patient": null}), "without a patient"),
        (json!({"encounter": ["ea1"]}), "no text"),
    ] {
        let answer = prepared(&world, &members);
        assert_eq!((answer.status, answer.error().as_str()), (400, "invalid_request"), "{why}");
    }
    assert_eq!(world.count("SELECT count(*) FROM launches"), 0);
    // If access ends between the launch and the consent, the context ends too.
    let (browser, consent) = consent_after(&world, &json!({"encounter": "ea1"}), EHR_SCOPE);
    world.execute("DELETE FROM access WHERE user = 'dr' AND patient = 'a'");
    assert_eq!(browser.allow(&consent).status, 400);
    assert_eq!(world.count("SELECT count(*) FROM grants WHERE subject = 'dr'"), 0);
}

#[test]
fn lc11_an_app_cannot_set_the_context() {
    let world = World::new();
    let own = [
        ("encounter", "ea1"),
        ("intent", "own"),
        ("need_patient_banner", "false"),
        ("context", "{\"encounter\":\"ea1\"}"),
    ];
    let browser = world.browser();
    let asked = request(&[&[("scope", "launch/patient patient/*.read offline_access")][..], &own].concat());
    let consent = browser.login(&browser.authorize(&asked), "pa");
    let mut form = vec![("decision", "allow"), ("scope", "patient/*.read"), ("scope", "offline_access")];
    form.extend(own);
    let code = browser.submit(&consent, "/oauth/consent", &form).heard()["code"].clone();
    let tokens = exchange(&world, &code, &own);
    let refreshed = refresh(&world, &text(&tokens, "refresh_token"), &own);
    for answer in [tokens.json(), refreshed.json()] {
        assert_eq!((answer.get("encounter"), answer.get("intent")), (None, None), "{answer}");
        assert_eq!(answer["need_patient_banner"], true);
    }
    // The form of the encounter selection does not change the context in an EHR launch either.
    let (browser, consent) = consent_after(&world, &json!({"encounter": "ea1"}), EHR_SCOPE);
    assert_eq!(browser.submit(&consent, "/oauth/patient", &[("encounter", "ea2")]).status, 400);
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    assert_eq!(text(&tokens, "encounter"), "ea1");
}

#[test]
fn g10_3_8_18_the_ehr_says_whether_the_app_shows_who_the_patient_is() {
    let world = World::new();
    for (members, expected) in [
        (json!({}), true),
        (json!({"need_patient_banner": null}), true),
        (json!({"need_patient_banner": true}), true),
        (json!({"need_patient_banner": false}), false),
        (json!({"need_patient_banner": "false"}), false),
    ] {
        let tokens = launched(&world, &members);
        let again = refresh(&world, &text(&tokens, "refresh_token"), &[]);
        for answer in [tokens.json(), again.json()] {
            assert_eq!(answer["need_patient_banner"], expected, "{members}");
        }
    }
    for bad in [json!("no"), json!(0), json!([])] {
        assert_eq!(prepared(&world, &json!({"need_patient_banner": bad})).status, 400, "{bad}");
    }
}

#[test]
fn the_intent_of_the_ehr_reaches_the_app() {
    let world = World::new();
    let tokens = launched(&world, &json!({"intent": "reconcile-medications"}));
    assert_eq!(text(&tokens, "intent"), "reconcile-medications");
    assert_eq!(text(&refresh(&world, &text(&tokens, "refresh_token"), &[]), "intent"), "reconcile-medications");
    assert_eq!(launched(&world, &json!({"intent": ""})).json().get("intent"), None);
    for bad in [json!("a\nb"), json!("x".repeat(257)), json!({"any": "thing"})] {
        assert_eq!(prepared(&world, &json!({"intent": bad})).status, 400, "{bad}");
    }
    assert_eq!(prepared(&world, &json!({"intent": "x".repeat(256)})).status, 200);
}

#[test]
fn g10_3_8_17_the_style_is_json_at_an_address_of_its_contents() {
    let world = World::new();
    let tokens = launched(&world, &json!({}));
    let again = refresh(&world, &text(&tokens, "refresh_token"), &[]);
    let address = text(&tokens, "smart_style_url");
    assert_eq!(address, text(&again, "smart_style_url"));
    let path = address.strip_prefix(crate::support::ORIGIN).unwrap();
    let style = world.ask("GET", path, &[], "");
    assert_eq!((style.status, style.headers["Access-Control-Allow-Origin"].as_str()), (200, "*"));
    assert!(style.headers["Content-Type"].starts_with("application/json"));
    assert!(style.headers["Cache-Control"].contains("immutable"));
    assert!(style.json()["color_background"].is_string());
    assert_eq!(world.ask("OPTIONS", path, &[], "").status, 204);
    assert_eq!(world.ask("GET", "/oauth/style/other.json", &[], "").status, 404);
    // A token without a user has no style.
    assert_eq!(token(&world, "launch").json().get("smart_style_url"), None);
    // The pages have the same colours.
    let pages = world.ask("GET", "/oauth/style.css", &[], "").text;
    assert!(pages.contains(style.json()["color_highlight"].as_str().unwrap()));
}

#[test]
fn g10_11_14_service_base_urls_are_published_where_they_are_configured() {
    let mut world = World::new();
    let path = "/.well-known/service-base-urls.json";
    assert_eq!(world.ask("GET", path, &[], "").status, 404);
    let list = r#"[{"name": "Clinic", "identifier": {"system": "http://hl7.org/fhir/sid/us-npi", "value": "1"},
        "address": {"line": ["1 Main St"], "city": "Springfield", "state": "IL", "postalCode": "62701"}}]"#;
    world.settings = world.settings.clone().publishing(&ServiceBaseUrls::parse(list).unwrap());
    let published = world.ask("GET", path, &[("Accept", "application/json, application/fhir+json")], "");
    assert_eq!((published.status, &published.json()["resourceType"]), (200, &json!("Bundle")));
    assert_eq!(published.headers["Access-Control-Allow-Origin"], "*");
    assert_eq!(published.headers["Content-Type"], "application/fhir+json; charset=utf-8");
    let entries = published.json()["entry"].clone();
    assert_eq!(entries[0]["resource"]["address"], crate::support::BASE);
    assert_eq!(entries[1]["resource"]["name"], "Clinic");
}

#[test]
fn launch_encounter_is_known_and_cannot_be_denied() {
    let world = World::new();
    let (browser, consent) =
        consent_after(&world, &json!({"encounter": "ea1"}), "launch launch/encounter user/Patient.rs");
    assert_eq!(ticks(&consent), ["user/Patient.rs"]);
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    assert_eq!(text(&tokens, "scope"), "launch launch/encounter user/Patient.rs");
    assert_eq!(text(&tokens, "encounter"), "ea1");
    // In an EHR launch the scope is a hint: no encounter is open, so the response has none.
    let (browser, consent) = consent_after(&world, &json!({}), "launch launch/encounter user/Patient.rs");
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    assert_eq!(tokens.json().get("encounter"), None);
    // A client without approval for the scope does not get it.
    world.execute("UPDATE clients SET registration = replace(registration, 'launch/encounter ', '')");
    let tokens = exchange(&world, &code(&world, &request(&[("scope", STANDALONE)])), &[]);
    assert_eq!(text(&tokens, "scope"), "launch/patient patient/*.read");
}

const STANDALONE: &str = "launch/patient launch/encounter patient/*.read";

#[test]
fn a_standalone_launch_has_the_user_choose_the_encounter() {
    let world = World::new();
    let (browser, pick) = sign_in(&world, "pa", &request(&[("scope", STANDALONE)]));
    assert!(pick.text.contains("Choose a visit"), "{}", pick.text);
    assert_eq!(offered(&pick), ["ea2", "ea1", ""], "the newest first, and none of them");
    let consent = browser.submit(&pick, "/oauth/patient", &[("encounter", "ea1")]);
    assert!(consent.text.contains("1 May 2024") && consent.text.contains("Another visit"));
    let link = consent.text.split("href=\"").find(|rest| rest.contains("encounters=1")).unwrap();
    let again = browser.ask("GET", &link.split('"').next().unwrap().replace("&amp;", "&"), &[], "");
    assert_eq!(offered(&again).len(), 3);
    let consent = browser.submit(&again, "/oauth/patient", &[("encounter", "ea2")]);
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    assert_eq!((text(&tokens, "patient"), text(&tokens, "encounter")), ("a".to_owned(), "ea2".to_owned()));
    assert_eq!(tokens.json()["need_patient_banner"], true, "no EHR is around it");

    let pick = browser.authorize(&request(&[("scope", STANDALONE)]));
    let given = browser.submit(&pick, "/oauth/patient", &[("encounter", "")]);
    let tokens = exchange(&world, &given.heard()["code"], &[]);
    assert_eq!(tokens.json().get("encounter"), None, "consent was given before, and the encounter is none");
    let silent = browser.authorize(&request(&[("scope", STANDALONE), ("prompt", "none")]));
    let tokens = exchange(&world, &silent.heard()["code"], &[]);
    assert_eq!(text(&tokens, "patient"), "a");
}

#[test]
fn lc12_only_an_encounter_of_the_patient_can_be_chosen() {
    let world = World::new();
    let (browser, pick) = sign_in(&world, "dr", &request(&[("scope", STANDALONE)]));
    assert_eq!(offered(&pick), ["a", "b"], "the patient comes first");
    // No encounter can be sent before the patient is known.
    assert_eq!(browser.submit(&pick, "/oauth/patient", &[("encounter", "ea1")]).status, 400);
    let visits = browser.submit(&pick, "/oauth/patient", &[("patient", "b")]);
    assert_eq!(offered(&visits), ["eb1", ""]);
    for bad in ["ea1", "ec1", "nothing", "ea1,eb1"] {
        let answer = browser.submit(&visits, "/oauth/patient", &[("encounter", bad)]);
        assert_eq!(answer.status, 400, "{bad}");
        assert!(answer.text.contains("That visit is not one of this patient."), "{bad}");
    }
    let all = [("decision", "allow"), ("scope", "patient/*.read")];
    assert_eq!(browser.submit(&visits, "/oauth/consent", &all).status, 400, "the step cannot be skipped");
    let consent = browser.submit(&visits, "/oauth/patient", &[("encounter", "eb1")]);
    // Another patient has other encounters.
    let others = browser.submit(&consent, "/oauth/patient", &[("patient", "a")]);
    assert_eq!(offered(&others), ["ea2", "ea1", ""]);
    let forged = browser.post("/oauth/patient", &[("encounter", "ea1"), ("interaction", &hidden(&others)[1].1)]);
    assert_eq!(forged.status, 400);
    let consent = browser.submit(&others, "/oauth/patient", &[("encounter", "ea1")]);
    // Another user who signs in has a separate context.
    let page = browser.ask("GET", &format!("/oauth/sign-in?interaction={}&switch=1", hidden(&consent)[1].1), &[], "");
    let theirs = browser.login(&page, "pa");
    assert_eq!(offered(&theirs), ["ea2", "ea1", ""], "the choice is forgotten");
    assert_eq!(world.count("SELECT count(*) FROM grants"), 0);
}

#[test]
fn a_patient_without_encounters_needs_no_choice() {
    let world = World::new();
    let browser = world.browser();
    let scope = "launch/encounter user/Patient.rs";
    world.execute("DELETE FROM chart");
    let pick = browser.login(&browser.authorize(&request(&[("scope", scope)])), "dr");
    assert_eq!(offered(&pick), ["a", "b"], "an encounter is one of a patient");
    let consent = browser.submit(&pick, "/oauth/patient", &[("patient", "a")]);
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    assert_eq!((text(&tokens, "patient").as_str(), tokens.json().get("encounter")), ("a", None));
}

#[test]
fn the_simulated_ehr_launches_with_encounter_banner_and_intent() {
    let world = World::new();
    world.execute("UPDATE clients SET registration = json_set(registration, '$.sandbox', json('false'))");
    let form = world.ask("GET", "/sandbox/launch", &[], "");
    for field in [
        "name=\"encounter\" value=\"$latest\" checked",
        "name=\"need_patient_banner\" value=\"false\"",
        "name=\"intent\"",
    ] {
        assert!(form.text.contains(field), "{field} in {}", form.text);
    }
    let send = |fields: &[(&str, &str)]| {
        let all = [&[("client_id", "pub"), ("user", "dr"), ("patient", "a")][..], fields].concat();
        world.ask("POST", "/sandbox/launch", &[], &encoded(&all))
    };
    let banner = [("need_patient_banner", "false"), ("intent", "orders")];
    let answer = send(&[&[("encounter", "$latest")][..], &banner].concat());
    let handle = answer.heard()["launch"].clone();
    let (browser, consent) = sign_in(&world, "dr", &request(&[("scope", EHR_SCOPE), ("launch", &handle)]));
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    assert_eq!((text(&tokens, "encounter"), text(&tokens, "intent")), ("ea2".to_owned(), "orders".to_owned()));
    assert_eq!(tokens.json()["need_patient_banner"], false);
    assert_eq!(send(&[("encounter", "eb1")]).status, 400);
    let nobody = world.ask(
        "POST",
        "/sandbox/launch",
        &[],
        &encoded(&[("client_id", "pub"), ("user", "dr"), ("patient", ""), ("encounter", "$latest")]),
    );
    assert_eq!(nobody.status, 303, "nobody's chart has no visit: {}", nobody.text);
}
