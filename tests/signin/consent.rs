//! Consent: when it is requested again, and the parts of scopes. The names of tests with the prefix `g10` have the
//! numbers of the certification kit for 170.315(g)(10).

use super::{code, exchange, request, sign_in, text};
use crate::world::{Answered, Browser, World, parts, ticks};

/// The scope of groups 1 and 2 of the kit, shortened.
const GROUP_1: &str = "launch/patient openid fhirUser offline_access patient/Patient.rs patient/Condition.rs \
                       patient/Observation.rs patient/Procedure.rs patient/Encounter.rs";
/// The scope of group 9.26 of the kit.
const GROUP_9_26: &str =
    "launch/patient openid fhirUser offline_access patient/Condition.rs patient/Observation.rs patient/Patient.rs";

const PROBLEMS: &str =
    "patient/Condition.rs?category=http://terminology.hl7.org/CodeSystem/condition-category|problem-list-item";
const LABORATORY: &str =
    "patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory";

/// The scopes of group 9.26 that are ticked.
const FEW: [&str; 6] =
    ["openid", "fhirUser", "offline_access", "patient/Patient.rs", "patient/Condition.rs", "patient/Observation.rs"];

/// Sends the consent page with these scopes and parts ticked.
fn decide(browser: &Browser<'_>, page: &Answered, scopes: &[&str], parts: &[&str]) -> Answered {
    let mut form = vec![("decision", "allow")];
    form.extend(scopes.iter().map(|scope| ("scope", *scope)));
    form.extend(parts.iter().map(|part| ("part", *part)));
    browser.submit(page, "/oauth/consent", &form)
}

fn granted(world: &World, browser: &Browser<'_>, page: &Answered, scopes: &[&str], parts: &[&str]) -> String {
    text(&exchange(world, &decide(browser, page, scopes, parts).heard()["code"], &[]), "scope")
}

#[test]
fn g10_2_4_after_full_access_limited_access_can_be_chosen_in_the_same_browser() {
    let world = World::new();
    let browser = world.browser();
    let ask = |scope: &str| browser.authorize(&request(&[("scope", scope)]));
    let first = browser.login(&ask(GROUP_1), "pa");
    let tokens = exchange(&world, &browser.allow(&first).heard()["code"], &[]);
    assert_eq!(text(&tokens, "scope"), GROUP_1);
    // Group 2: the same client, the same scopes, and no `prompt`.
    let second = ask(GROUP_1);
    assert_eq!((second.status, ticks(&second).len()), (200, 8), "{}", second.text);
    let limited = granted(&world, &browser, &second, &FEW, &[]);
    assert_eq!(limited, GROUP_1.replace(" patient/Procedure.rs patient/Encounter.rs", ""));
    // All scopes can then be granted again.
    assert_eq!(
        granted(&world, &browser, &ask(GROUP_1), &ticks(&first).iter().map(String::as_str).collect::<Vec<_>>(), &[]),
        GROUP_1
    );
    // Group 9.26.
    assert_eq!((ask(GROUP_9_26).status, parts(&ask(GROUP_9_26)).len()), (200, 9));
}

#[test]
fn consent_is_skipped_only_for_exactly_what_was_granted_in_full() {
    let world = World::new();
    let browser = world.browser();
    let ask = |scope: &str, prompt: &str| browser.authorize(&request(&[("scope", scope), ("prompt", prompt)]));
    let scope = "launch/patient openid patient/Patient.rs patient/Condition.rs";
    let page = browser.login(&ask(scope, ""), "pa");
    // A scope was left out, so consent is requested again.
    decide(&browser, &page, &["openid", "patient/Patient.rs"], &[]);
    let page = ask(scope, "");
    assert_eq!(page.status, 200);
    // Parts were chosen, so consent is requested again.
    decide(&browser, &page, &["openid", "patient/Patient.rs", "patient/Condition.rs"], &[PROBLEMS]);
    let page = ask(scope, "");
    assert_eq!(page.status, 200);
    browser.allow(&page);
    assert!(ask(scope, "").heard().contains_key("code"), "all of it was granted");
    assert_eq!(ask(scope, "consent").status, 200);
    // Access that outlives the session needs consent each time, and is never granted without a page.
    let offline = format!("{scope} offline_access");
    assert_eq!(ask(&offline, "none").error(), "consent_required");
    let page = ask(&offline, "");
    assert_eq!(page.status, 200);
    browser.allow(&page);
    assert_eq!(ask(&offline, "").status, 200);
    assert!(ask(&offline, "none").heard().contains_key("code"), "no page may be shown, and it was granted before");
}

#[test]
fn g10_9_26_parts_are_offered_and_granted_in_place_of_the_whole() {
    let world = World::new();
    let (browser, page) = sign_in(&world, "pa", &request(&[("scope", GROUP_9_26)]));
    let condition =
        |system: &str, code: &str| format!("patient/Condition.rs?category={system}/condition-category|{code}");
    let observation = |code: &str| {
        format!("patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|{code}")
    };
    let [hl7, us_core] = ["http://terminology.hl7.org/CodeSystem", "http://hl7.org/fhir/us/core/CodeSystem"];
    let mut expected: Vec<_> =
        ["procedure", "laboratory", "social-history", "survey", "vital-signs"].map(observation).into();
    expected.extend([
        condition(hl7, "encounter-diagnosis"),
        condition(hl7, "problem-list-item"),
        condition(us_core, "health-concern"),
        format!("patient/Observation.rs?category={us_core}/us-core-category|sdoh"),
    ]);
    expected.sort();
    let mut offered = parts(&page);
    offered.sort();
    assert_eq!(offered, expected);
    assert!(page.text.contains("<strong>laboratory results</strong>"));
    // The whole scope is ticked as well. The parts decide, so that no more is granted than a person may expect.
    let scope = granted(&world, &browser, &page, &FEW, &[PROBLEMS, LABORATORY]);
    let context = "launch/patient openid fhirUser offline_access";
    assert_eq!(scope, format!("{context} {PROBLEMS} {LABORATORY} patient/Patient.rs"));
}

#[test]
fn g10_11_19_a_part_opens_its_category_alone() {
    let world = World::new();
    let browser = world.browser();
    let scope = "launch/patient patient/Patient.rs patient/Condition.read patient/Observation.read";
    let page = browser.login(&browser.authorize(&request(&[("scope", scope)])), "pa");
    // For one type only a part is ticked, without the whole; for the other type the whole is ticked.
    let answer = decide(&browser, &page, &["patient/Patient.rs", "patient/Observation.read"], &[PROBLEMS]);
    let tokens = exchange(&world, &answer.heard()["code"], &[]);
    assert_eq!(
        text(&tokens, "scope"),
        format!("launch/patient patient/Patient.rs {PROBLEMS} patient/Observation.read")
    );
    // The condition of the patient has no category.
    assert_eq!(world.read_condition(&text(&tokens, "access_token"), "ca"), 404);
    let whole = exchange(&world, &code(&world, &request(&[("scope", scope)])), &[]);
    assert_eq!(world.read_condition(&text(&whole, "access_token"), "ca"), 200);
}

#[test]
fn a4_a_group_that_is_left_out_is_not_granted_whatever_is_ticked_in_it() {
    let world = World::new();
    let browser = world.browser();
    let scope = "launch/patient openid fhirUser offline_access patient/MedicationRequest.rs \
                 patient/Immunization.rs patient/Condition.rs patient/Patient.rs";
    let page = browser.login(&browser.authorize(&request(&[("scope", scope)])), "pa");
    let medications = "patient/MedicationRequest.rs patient/Immunization.rs";
    assert!(page.text.contains(&format!("name=\"omit\" value=\"{medications}\">")), "{}", page.text);
    // The duration of the access comes before the records.
    let place = |text: &str| page.text.find(text).unwrap();
    assert!(place("value=\"offline_access\"") < place("<details"));
    for said in ["It can only read.", "Without this, its access ends within an hour.", "may still be named in other"] {
        assert!(page.text.contains(said), "{said}: {}", page.text);
    }
    let mut form = vec![("decision", "allow"), ("omit", medications), ("omit", "launch/patient user/*.rs")];
    let ticked = ticks(&page);
    form.extend(ticked.iter().map(|scope| ("scope", scope.as_str())));
    let code = browser.submit(&page, "/oauth/consent", &form).heard()["code"].clone();
    assert_eq!(
        text(&exchange(&world, &code, &[]), "scope"),
        "launch/patient openid fhirUser offline_access patient/Condition.rs patient/Patient.rs"
    );
}

#[test]
fn the_page_of_apps_names_patients_and_says_which_part_of_a_type_an_app_may_see() {
    let world = World::new();
    let (browser, page) = sign_in(&world, "pa", &request(&[("scope", GROUP_9_26)]));
    let part = granted(&world, &browser, &page, &["openid", "offline_access"], &[LABORATORY]);
    assert!(part.ends_with(LABORATORY), "{part}");
    let manage = browser.ask("GET", "/oauth/manage", &[], "").text;
    for said in [
        "Of the patient Ada Bell.",
        "Results and vital signs (not all of it)",
        "test results, vital signs and other observations (Only those whose category is laboratory)",
        "<a href=\"/\">Go to edgechart</a>",
    ] {
        assert!(manage.contains(said), "{said}: {manage}");
    }
}

#[test]
fn cs18_cs19_what_is_unticked_or_narrowed_stays_closed_at_the_api_whatever_else_was_asked_for() {
    let world = World::new();
    let browser = world.browser();
    let mut page =
        browser.login(&browser.authorize(&request(&[("scope", "patient/*.read patient/Condition.read")])), "pa");
    assert!(page.text.contains("Without this, <code>patient/*.read</code> does not open it either."), "{}", page.text);
    // The patient's condition is not an item of the problem list.
    for (scope, unticked, parts, status) in [
        ("patient/*.read patient/Condition.read", "", &[][..], 200),
        ("patient/*.read patient/Condition.read", "patient/Condition.read", &[], 401),
        ("patient/*.read patient/Condition.read", "patient/*.read", &[], 200),
        ("patient/*.read patient/Condition.read", "", &[PROBLEMS], 404),
        ("patient/Condition.read user/*.read", "patient/Condition.read", &[], 401),
        ("patient/Condition.read user/*.read", "", &[PROBLEMS], 404),
        ("patient/Patient.rs patient/Condition.read user/Condition.read", "user/Condition.read", &[], 401),
        ("patient/*.read user/Condition.read", "user/Condition.read", &[], 401),
        ("patient/Condition.read user/*.read", "user/*.read", &[], 200),
        ("patient/Patient.rs patient/Condition.read patient/Condition.rs", "patient/Condition.rs", &[], 401),
        ("patient/Condition.r patient/Condition.s", "patient/Condition.r", &[], 401),
        ("patient/Condition.r patient/Condition.s", "", &[PROBLEMS], 404),
    ] {
        page = browser.authorize(&request(&[("scope", scope), ("prompt", "consent")]));
        let ticked: Vec<_> = scope.split(' ').filter(|written| *written != unticked).collect();
        let tokens = exchange(&world, &decide(&browser, &page, &ticked, parts).heard()["code"], &[]);
        let condition = world.read_condition(&text(&tokens, "access_token"), "ca");
        assert_eq!(condition, status, "{scope} {unticked} {parts:?}");
    }
    // A narrowed scope is not granted without consent.
    let browser = world.browser();
    let ask =
        |prompt| browser.authorize(&request(&[("scope", "patient/*.read patient/Condition.read"), ("prompt", prompt)]));
    decide(&browser, &browser.login(&ask(""), "pa"), &["patient/*.read"], &[]);
    assert_eq!((ask("none").error().as_str(), ask("").status), ("consent_required", 200));
}

#[test]
fn a4_only_offered_parts_are_granted() {
    let world = World::new();
    let browser = world.browser();
    let scope = "launch/patient openid patient/Condition.rs patient/Observation.r user/Observation.rs";
    let page = browser.login(&browser.authorize(&request(&[("scope", scope)])), "pa");
    assert_eq!(parts(&page).len(), 9, "reading alone has parts too");
    for forged in [
        "patient/Condition.rs",
        "patient/Condition.rs?category=problem-list-item",
        "patient/*.rs",
        "patient/Procedure.rs?category=x|y",
        "",
        "x",
    ] {
        assert_eq!(decide(&browser, &page, &["openid"], &[forged]).status, 400, "{forged}");
    }
    assert_eq!(
        decide(&browser, &page, &["openid", PROBLEMS], &[]).status,
        400,
        "a part is no scope that was asked for"
    );
    assert_eq!(world.count("SELECT count(*) FROM grants"), 0);
    assert_eq!(granted(&world, &browser, &page, &[], &[PROBLEMS]), format!("launch/patient {PROBLEMS}"));
}

#[test]
fn the_parts_are_offered_in_spanish_too() {
    let world = World::new();
    let browser = world.browser();
    let asked = request(&[("scope", GROUP_9_26), ("ui_locales", "es")]);
    let page = browser.login(&browser.authorize(&asked), "pa");
    assert!(page.text.contains("<strong>signos vitales</strong>") && page.text.contains("O permita solo estas partes"));
}
