//! A4 and A5: the sign-in, the patient selection and the consent page.

use super::{SCOPE, confidential, exchange, request, sign_in, text};
use crate::world::{World, hidden, offered, ticks};

#[test]
fn a4_a_form_without_its_tokens_does_nothing() {
    let world = World::new();
    let browser = world.browser();
    let page = browser.authorize(&request(&[]));
    let fields = hidden(&page);
    let of = |name: &str| fields.iter().find(|(of, _)| of == name).unwrap().1.clone();
    let (csrf, pending) = (of("csrf"), of("interaction"));
    let person = [("username", "pa"), ("password", "pa")];
    let elsewhere = world.browser();
    let theirs = hidden(&elsewhere.authorize(&request(&[])));
    let post = |marks: &[(&str, &str)]| browser.post("/oauth/login", &[marks, &person].concat());
    for (why, answer) in [
        ("no token", post(&[("interaction", &pending)])),
        ("an empty token", post(&[("interaction", &pending), ("csrf", "")])),
        ("another browser's token", post(&[("interaction", &pending), ("csrf", &theirs[0].1)])),
        ("another browser's request", post(&[("interaction", &theirs[1].1), ("csrf", &csrf)])),
        ("all of another browser", post(&[("interaction", &theirs[1].1), ("csrf", &theirs[0].1)])),
        ("an unknown request", post(&[("interaction", "x"), ("csrf", &csrf)])),
        ("no request", post(&[("csrf", &csrf)])),
        (
            "no cookie",
            world.ask(
                "POST",
                "/oauth/login",
                &[],
                &crate::world::encoded(&[("csrf", &csrf), ("interaction", &pending)]),
            ),
        ),
    ] {
        assert_eq!((answer.status, answer.location()), (400, None), "{why}");
    }
    for (name, value) in
        [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site")]
    {
        let body = crate::world::encoded(&[("csrf", &csrf), ("interaction", &pending), person[0], person[1]]);
        assert_eq!(browser.ask("POST", "/oauth/login", &[(name, value)], &body).status, 400, "{name}: {value}");
    }
    assert_eq!(world.count("SELECT count(*) FROM sessions"), 0);
    let right = post(&[("interaction", &pending), ("csrf", &csrf)]);
    assert_eq!(right.location(), Some(format!("/oauth/sign-in?interaction={pending}").as_str()));
    world.pass(601);
    assert_eq!(post(&[("interaction", &pending), ("csrf", &csrf)]).status, 400, "it waited too long");
}

#[test]
fn a5_a_patient_who_cannot_be_read_is_left_out_and_the_others_can_be_selected() {
    let world = World::new();
    world.execute("UPDATE resource SET body = '{' WHERE type = 'Patient' AND id = 'a'");
    let (browser, pick) = sign_in(&world, "dr", &request(&[]));
    let sentence = "The records of some patients cannot be read.";
    assert_eq!((pick.status, offered(&pick)), (200, vec!["b".to_owned()]));
    assert!(pick.text.contains(sentence), "{}", pick.text);
    assert!(pick.detail.as_ref().is_some_and(|line| line.contains("the stored text of Patient/a is damaged")));
    let found = browser.submit(&pick, "/oauth/patient", &[("words", "bell")]);
    assert_eq!((offered(&found), found.text.contains(sentence)), (vec!["b".to_owned()], true));
    let found = browser.submit(&pick, "/oauth/patient", &[("words", "ben")]);
    assert_eq!((offered(&found), found.text.contains(sentence)), (vec!["b".to_owned()], false));
    // A patient whose record cannot be read is shown neither as another user's patient nor as missing.
    let broken = browser.submit(&pick, "/oauth/patient", &[("patient", "a")]);
    assert_eq!(broken.status, 500);
    assert!(broken.detail.is_some_and(|line| line.contains("Patient/a is damaged")));
    let consent = browser.submit(&found, "/oauth/patient", &[("patient", "b")]);
    assert_eq!(text(&exchange(&world, &browser.allow(&consent).heard()["code"], &[]), "patient"), "b");
}

#[test]
fn a4_signing_in_makes_a_new_session_and_ends_the_old() {
    let world = World::new();
    let browser = world.browser();
    browser.cookies.borrow_mut().insert("session".into(), "f".repeat(43));
    let page = browser.authorize(&request(&[]));
    browser.login(&page, "pa");
    let first = browser.cookies.borrow()["session"].clone();
    assert_ne!(first, "f".repeat(43));
    browser.login(&browser.authorize(&request(&[("prompt", "login")])), "pa");
    assert_ne!(browser.cookies.borrow()["session"], first);
    assert_eq!(world.count("SELECT count(*) FROM sessions"), 1);
    assert_eq!(world.count(&format!("SELECT count(*) FROM sessions WHERE id = '{first}'")), 0, "kept as a hash");
}

#[test]
fn a4_consent_is_given_by_the_user_who_signed_in_for_it() {
    let world = World::new();
    let (browser, consent) = sign_in(&world, "pa", &request(&[]));
    // Another user signs in in another tab.
    browser.login(&browser.authorize(&request(&[("prompt", "login")])), "dr");
    assert_eq!(browser.allow(&consent).status, 400);
    browser.cookies.borrow_mut().remove("session");
    assert_eq!(browser.allow(&consent).status, 400);
    assert_eq!(world.count("SELECT count(*) FROM grants"), 0);
}

#[test]
fn a4_only_requested_scopes_are_granted() {
    let world = World::new();
    let browser = world.browser();
    let ask = || {
        browser.authorize(&request(&[("prompt", "login"), ("scope", "launch/patient openid patient/Condition.read")]))
    };
    let consent = browser.login(&ask(), "pa");
    assert_eq!(ticks(&consent), ["openid", "patient/Condition.read"]);
    let more = [("decision", "allow"), ("scope", "patient/Condition.read"), ("scope", "patient/*.read")];
    assert_eq!(browser.submit(&consent, "/oauth/consent", &more).status, 400);
    assert_eq!(browser.submit(&consent, "/oauth/consent", &[("scope", "openid")]).status, 400, "no decision");
    let patient = [("decision", "allow"), ("scope", "patient/Condition.read"), ("patient", "b")];
    let code = browser.submit(&consent, "/oauth/consent", &patient).heard()["code"].clone();
    let tokens = exchange(&world, &code, &[]);
    assert_eq!(text(&tokens, "scope"), "launch/patient patient/Condition.read");
    assert_eq!(text(&tokens, "patient"), "a");
    assert!(tokens.json().get("id_token").is_none());
    for none in [
        &[("decision", "allow")][..],
        &[("decision", "deny"), ("scope", "patient/Condition.read")],
        &[("decision", "allow"), ("scope", "openid")],
    ] {
        let consent = browser.login(&ask(), "pa");
        assert_eq!(browser.submit(&consent, "/oauth/consent", none).error(), "access_denied", "{none:?}");
    }
    assert_eq!(world.count("SELECT count(*) FROM pending_authorizations WHERE user IS NOT NULL"), 0);
}

#[test]
fn a4_a_patient_cannot_select_or_forge_other_patients() {
    let world = World::new();
    let (browser, consent) = sign_in(&world, "pa", &request(&[]));
    assert!(offered(&consent).is_empty() && consent.text.contains("Ada Bell"));
    assert_eq!(browser.submit(&consent, "/oauth/patient", &[("patient", "b")]).status, 400);
    assert_eq!(text(&exchange(&world, &browser.allow(&consent).heard()["code"], &[]), "patient"), "a");

    let pick = browser.login(&browser.authorize(&request(&[("prompt", "login")])), "dr");
    assert_eq!(offered(&pick), ["a", "b"]);
    assert!(pick.text.contains("Ben &lt;i&gt; Bell") && !pick.text.contains("<i>"));
    for forged in ["c", "unknown", "a,b", "a b", "*"] {
        assert_eq!(browser.submit(&pick, "/oauth/patient", &[("patient", forged)]).status, 400, "{forged}");
    }
    assert_eq!(browser.allow(&pick).status, 400, "no consent before the choice");
    let found = browser.submit(&pick, "/oauth/patient", &[("words", "ben")]);
    assert_eq!(offered(&found), ["b"]);
    assert!(offered(&browser.submit(&pick, "/oauth/patient", &[("words", "cy")])).is_empty());
    let consent = browser.submit(&found, "/oauth/patient", &[("patient", "b")]);
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    assert_eq!(text(&tokens, "patient"), "b");
    assert_eq!(
        (
            world.read_condition(&text(&tokens, "access_token"), "cb"),
            world.read_condition(&text(&tokens, "access_token"), "ca")
        ),
        (200, 404)
    );
}

#[test]
fn a5_a_patient_scope_needs_a_patient_and_a_user_scope_does_not() {
    let world = World::new();
    let (browser, inferred) = sign_in(&world, "dr", &request(&[("scope", "patient/*.read"), ("patient", "b")]));
    assert_eq!(offered(&inferred), ["a", "b"]);
    let consent = browser.authorize(&request(&[("scope", "user/*.read")]));
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    assert!(tokens.json().get("patient").is_none());
    assert_eq!(world.read_condition(&text(&tokens, "access_token"), "cb"), 200);
    let nobody = world.browser();
    let page = nobody.login(&nobody.authorize(&request(&[])), "ma");
    assert!(offered(&page).is_empty() && page.text.contains("No patient was found"));
}

#[test]
fn a_user_who_may_see_all_patients_selects_among_the_stored_ones() {
    let world = World::new();
    world.execute("INSERT INTO access VALUES ('ma', '*'), ('ma', 'a')");
    let (browser, page) = sign_in(&world, "ma", &request(&[]));
    assert_eq!(offered(&page), ["a", "b", "c"]);
    assert!(!page.text.contains("There are more"));
    let consent = browser.submit(&page, "/oauth/patient", &[("patient", "c")]);
    assert_eq!(text(&exchange(&world, &browser.allow(&consent).heard()["code"], &[]), "patient"), "c");
}

#[test]
fn a4_consent_is_remembered_only_for_its_session_and_scopes() {
    let world = World::new();
    let (browser, consent) = sign_in(&world, "pa", &request(&[("scope", "patient/Condition.read openid")]));
    exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    let again = browser.authorize(&request(&[("scope", "patient/Condition.read openid")]));
    assert!(again.heard().contains_key("code"));
    for asked in [
        &[("scope", "patient/Condition.read patient/Observation.read")][..],
        &[("scope", "patient/Condition.read")],
        &[("scope", "patient/Condition.read openid"), ("prompt", "consent")],
        &[("scope", "patient/Condition.read"), ("client_id", "other"), ("redirect_uri", "https://other.example/cb")],
    ] {
        assert_eq!(browser.authorize(&request(asked)).status, 200, "{asked:?}");
    }
    let elsewhere = world.browser();
    let page = elsewhere.login(&elsewhere.authorize(&request(&[("scope", "patient/Condition.read")])), "pa");
    assert_eq!((page.status, ticks(&page).len()), (200, 1));
    // A loopback address does not identify the app.
    let native = request(&[("client_id", "native"), ("redirect_uri", "http://127.0.0.1:8000/cb")]);
    let first = browser.allow(&browser.authorize(&native));
    assert!(first.location().unwrap().starts_with("http://127.0.0.1:8000/cb?code="));
    assert_eq!(browser.authorize(&native).status, 200);
}

#[test]
fn a4_wrong_passwords_wait_longer_and_longer() {
    let world = World::new();
    let browser = world.browser();
    let page = browser.authorize(&request(&[]));
    let wrong = || browser.submit(&page, "/oauth/login", &[("username", "pa"), ("password", "x")]);
    for _ in 0..16 {
        assert_eq!(wrong().status, 200);
    }
    let refused = wrong();
    assert_eq!((refused.status, refused.headers["Retry-After"].as_str()), (429, "1"));
    assert_eq!(browser.login(&page, "pa").status, 429, "nor is a right one looked at");
    assert_eq!(browser.login(&page, "dr").status, 200, "others sign in");
    world.pass(1);
    assert_eq!(wrong().status, 200);
    assert_eq!(wrong().headers["Retry-After"], "2");
    world.pass(2);
    assert_eq!(browser.login(&page, "pa").status, 200);
    assert_eq!(wrong().status, 200, "a right one begins anew");
}

#[test]
fn a4_a_disabled_user_is_signed_out() {
    let world = World::new();
    let (browser, consent) = sign_in(&world, "pa", &request(&[]));
    world.execute("UPDATE users SET disabled = 1 WHERE name = 'pa'");
    assert_eq!(browser.allow(&consent).status, 400);
    let page = browser.authorize(&request(&[]));
    assert!(browser.login(&page, "pa").text.contains("do not belong together"));
}

#[test]
fn a4_a_launch_for_another_user_needs_a_new_sign_in() {
    let world = World::new();
    let (browser, consent) = sign_in(&world, "pa", &request(&[]));
    assert_eq!(browser.submit(&consent, "/oauth/consent", &[("decision", "switch")]).status, 400, "it is a link");
    let page = browser.ask("GET", &link(&consent, "switch"), &[], "");
    assert!(page.text.contains("name=\"password\""));
    assert_eq!(offered(&browser.login(&page, "dr")), ["a", "b"]);
}

fn link(page: &crate::world::Answered, step: &str) -> String {
    let address = format!("/oauth/sign-in?interaction={}&{step}=1", hidden(page)[1].1);
    assert!(page.text.contains(&format!("href=\"{}\"", address.replace('&', "&amp;"))), "{}", page.text);
    address
}

#[test]
fn a4_every_form_is_answered_with_a_redirect_to_a_page() {
    let world = World::new();
    let browser = world.browser();
    let page = browser.authorize(&request(&[]));
    // An app may also POST its request. Without a cookie it is first redirected to an address.
    let posted = browser.ask("POST", "/oauth/authorize", &[], &crate::world::encoded(&request(&[])));
    assert_eq!((posted.status, posted.text.as_str()), (303, ""));
    assert!(posted.location().unwrap().starts_with("/oauth/sign-in?interaction="));
    let pending = hidden(&page)[1].1.clone();
    let due = format!("/oauth/sign-in?interaction={pending}");
    let sent = |page: &crate::world::Answered, path: &str, form: &[(&str, &str)]| {
        let answer = browser.send(page, path, form);
        assert_eq!((answer.status, answer.text.as_str()), (303, ""), "{form:?}");
        answer.location().unwrap().to_owned()
    };
    let get = |address: &str| browser.ask("GET", address, &[], "");

    let wrong = sent(&page, "/oauth/login", &[("username", "d\"<r>"), ("password", "x")]);
    assert_eq!(wrong, format!("{due}&trouble=wrong_password"));
    for _ in 0..2 {
        let again = get(&wrong);
        assert!(again.text.contains("do not belong together") && again.text.contains("value=\"d&quot;&lt;r&gt;\""));
        assert_eq!(again.headers["Referrer-Policy"], "no-referrer");
    }
    assert_eq!(sent(&get(&wrong), "/oauth/login", &[("username", "dr"), ("password", "dr")]), due);
    assert!(!get(&due).text.contains("do not belong together"));
    let found = sent(&get(&due), "/oauth/patient", &[("words", "ben")]);
    assert_eq!(found, format!("{due}&search=1"), "no name of a patient stands in an address");
    assert_eq!(offered(&get(&found)), ["b"]);
    assert_eq!(offered(&get(&due)), ["a", "b"]);
    assert_eq!(sent(&get(&found), "/oauth/patient", &[("patient", "b")]), due);
    // Going back shows the next step, or the patient selection.
    let consent = get(&due);
    assert!(consent.text.contains("Ben &lt;i&gt; Bell"));
    assert_eq!(offered(&get(&link(&consent, "pick"))), ["a", "b"]);
    assert_eq!(sent(&consent, "/oauth/patient", &[("patient", "a")]), due);
    assert!(get(&due).text.contains("Ada Bell"));
    let last = get(&due);
    assert!(browser.allow(&last).heard().contains_key("code"));
    // Going back and pressing Allow again change nothing, and lead to a page that explains what happened.
    for again in [get(&due), browser.allow(&last)] {
        assert_eq!((again.status, again.location()), (400, None));
        assert!(again.text.contains("<h1>This request has ended</h1>"), "{}", again.text);
        assert!(again.text.contains("answered already") && again.text.contains("href=\"/oauth/manage\""));
    }

    let manage = get("/oauth/manage");
    let withdrawn = "/oauth/manage?withdrawn=pub";
    assert!(!get(withdrawn).text.contains("Withdrawn"), "it is said where it is so");
    assert_eq!(sent(&manage, "/oauth/manage", &[("withdraw", "pub")]), withdrawn);
    assert!(get(withdrawn).text.contains("Withdrawn"));
    assert_eq!(sent(&manage, "/oauth/manage", &[("action", "sign-out")]), "/oauth/manage");
    let page = get("/oauth/manage");
    assert_eq!(
        sent(&page, "/oauth/login", &[("username", "pa"), ("password", "x")]),
        "/oauth/manage?trouble=wrong_password"
    );
    assert!(get("/oauth/manage?trouble=wrong_password").text.contains("value=\"pa\""));
    assert_eq!(sent(&page, "/oauth/login", &[("username", "pa"), ("password", "pa")]), "/oauth/manage");
}

#[test]
fn a4_the_address_of_a_step_works_in_one_browser() {
    let world = World::new();
    let browser = world.browser();
    let page = browser.authorize(&request(&[]));
    let due = format!("/oauth/sign-in?interaction={}", hidden(&page)[1].1);
    browser.login(&page, "pa");
    assert_eq!(ticks(&browser.ask("GET", &due, &[], "")).len(), 4);
    let other = world.browser();
    assert_eq!(other.ask("GET", &due, &[], "").status, 400, "without a cookie");
    other.login(&other.authorize(&request(&[])), "pa");
    assert_eq!(other.ask("GET", &due, &[], "").status, 400, "with another");
    for bad in ["/oauth/sign-in", "/oauth/sign-in?interaction=x", "/oauth/sign-in?interaction=%"] {
        assert_eq!(browser.ask("GET", bad, &[], "").status, 400, "{bad}");
    }
    // If another user has signed in elsewhere meanwhile, the request is not continued in that user's name.
    browser.login(&browser.authorize(&request(&[("prompt", "login")])), "dr");
    assert!(browser.ask("GET", &due, &[], "").text.contains("name=\"password\""));
    world.pass(601);
    assert_eq!(browser.ask("GET", &due, &[], "").status, 400, "it waited too long");
}

#[test]
fn a4_a_hint_fills_in_the_name_and_nothing_else() {
    let world = World::new();
    let named = |hint: &str| {
        let browser = world.browser();
        let page = browser.authorize(&request(&[("login_hint", hint)]));
        assert_eq!(page.status, 200, "{hint}");
        let (_, rest) = page.text.split_once("type=\"text\" value=\"").unwrap();
        let name = rest.split('"').next().unwrap().to_owned();
        assert_eq!(browser.login(&page, "pa").status, 200, "anybody may sign in");
        name
    };
    assert_eq!(named("dr"), "dr");
    assert_eq!(named("\"><script>"), "&quot;&gt;&lt;script&gt;");
    for none in [String::new(), "a\nb".into(), "x".repeat(257)] {
        assert_eq!(named(&none), "");
    }
    assert_eq!(named(&"x".repeat(256)), "x".repeat(256));
    // The user of an EHR launch takes precedence.
    let launch =
        world.ask("POST", "/sandbox/launch", &[("Accept", "application/json")], "client_id=pub&user=dr&patient=b");
    let address = launch.json()["launch_uri"].as_str().unwrap().to_owned();
    let handle = address.rsplit("launch=").next().unwrap().to_owned();
    let launched = [("launch", handle.as_str()), ("scope", "launch patient/*.read"), ("login_hint", "pa")];
    assert!(world.browser().authorize(&request(&launched)).text.contains("value=\"dr\""));
}

#[test]
fn a4_the_consent_page_groups_the_scopes_and_its_form_has_each() {
    let world = World::new();
    let browser = world.browser();
    let kinds = [
        "Patient",
        "Condition",
        "AllergyIntolerance",
        "MedicationRequest",
        "Observation",
        "Encounter",
        "DocumentReference",
    ];
    let asked: Vec<_> = kinds.iter().map(|kind| format!("patient/{kind}.read")).collect();
    let scope = format!("launch/patient openid offline_access {}", asked.join(" "));
    let consent = browser.login(&browser.authorize(&request(&[("scope", &scope)])), "pa");
    let titles = consent.text.split("<summary><strong>").skip(1).filter_map(|rest| rest.split('<').next());
    assert_eq!(
        titles.collect::<Vec<_>>(),
        [
            "Identity and personal details",
            "Conditions and allergies",
            "Medications and vaccinations",
            "Results and vital signs",
            "Care team and visits",
            "Documents"
        ]
    );
    assert_eq!(consent.text.matches("Ada Bell").count(), 1, "whose records they are is said once");
    let mut boxes = ticks(&consent);
    boxes.sort();
    let mut all: Vec<_> = scope.split(' ').skip(1).map(str::to_owned).collect();
    all.sort();
    assert_eq!(boxes, all);
    assert_eq!(consent.text.matches("checked>").count(), all.len());
    let (_, form) = consent.text.split_once("<form").unwrap();
    let (form, _) = form.split_once("</form>").unwrap();
    assert_eq!(form.matches("type=\"checkbox\" name=\"scope\"").count(), all.len());
    assert!(form.contains("value=\"allow\"") && form.contains("value=\"deny\""));
}

#[test]
fn prompt_none_uses_the_patient_of_the_earlier_grant() {
    let world = World::new();
    let (browser, pick) = sign_in(&world, "dr", &request(&[]));
    let silent = || browser.authorize(&request(&[("prompt", "none")]));
    assert_eq!(silent().error(), "interaction_required");
    let consent = browser.submit(&pick, "/oauth/patient", &[("patient", "b")]);
    exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    assert_eq!(text(&exchange(&world, &silent().heard()["code"], &[]), "patient"), "b");
    world.execute("DELETE FROM access WHERE user = 'dr' AND patient = 'b'");
    assert_eq!(silent().error(), "access_denied");
}

#[test]
fn other_or_fewer_scopes_are_asked_about_again() {
    let world = World::new();
    let browser = world.browser();
    let ask = |scope: &str, prompt: &str| browser.authorize(&request(&[("scope", scope), ("prompt", prompt)]));
    let (all, fewer) = ("launch/patient openid patient/*.read", "launch/patient openid patient/Condition.read");
    browser.allow(&browser.login(&ask(all, ""), "pa"));
    assert!(ask(all, "").heard().contains_key("code"));
    assert_eq!(ask(fewer, "").status, 200);
    assert!(ask(fewer, "none").heard().contains_key("code"));
    assert_eq!(ask(&format!("{all} fhirUser"), "").status, 200);
}

#[test]
fn a13_withdrawn_access_ends() {
    let world = World::new();
    let (browser, consent) = sign_in(&world, "pa", &request(&[]));
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    let page = browser.ask("GET", "/oauth/manage", &[], "");
    assert!(page.text.contains("Pub &lt;b&gt;"), "{}", page.text);
    let other = world.browser();
    let theirs = other.ask("GET", "/oauth/manage", &[], "");
    let theirs = other.login(&theirs, "dr");
    assert!(theirs.text.contains("No app has access"));
    other.submit(&theirs, "/oauth/manage", &[("withdraw", "pub")]);
    assert_eq!(browser.post("/oauth/manage", &[("withdraw", "pub")]).status, 400, "without the token of the form");
    assert_eq!(
        world.read_condition(&text(&tokens, "access_token"), "ca"),
        200,
        "not by others, and not by other sites"
    );
    let done = browser.submit(&page, "/oauth/manage", &[("withdraw", "pub")]);
    assert!(done.text.contains("Withdrawn") && done.text.contains("No app has access"), "{}", done.text);
    assert_eq!(world.read_condition(&text(&tokens, "access_token"), "ca"), 401);
    assert!(!browser.submit(&page, "/oauth/manage", &[("withdraw", "pub")]).text.contains("Withdrawn"), "nor twice");
}

#[test]
fn rv10_a13_an_app_is_listed_once_and_withdrawn_as_a_whole() {
    let world = World::new();
    let browser = world.browser();
    let ask = |scope: &str, more: &[(&str, &str)]| {
        let changes = [&[("scope", scope), ("prompt", "consent")], more].concat();
        browser.authorize(&request(&changes))
    };
    let pick = |patient: &str| {
        let page = ask("launch/patient offline_access patient/Condition.read patient/Observation.read", &[]);
        let page = browser.submit(&page, "/oauth/patient", &[("patient", patient)]);
        exchange(&world, &browser.allow(&page).heard()["code"], &[])
    };
    browser.login(&browser.authorize(&request(&[])), "dr");
    let first = pick("a");
    world.pass(24 * 3_600);
    browser.login(&browser.authorize(&request(&[])), "dr");
    let second = pick("b");
    let third = exchange(&world, &browser.allow(&ask("user/Patient.read", &[])).heard()["code"], &[]);
    let unspent = browser.allow(&ask("user/Patient.read", &[])).heard()["code"].clone();
    let other = [("client_id", "other"), ("redirect_uri", "https://other.example/cb")];
    let others = browser.allow(&ask("user/Patient.read", &other)).heard()["code"].clone();
    let others = exchange(&world, &others, &other);
    // Regression: the list was cut after 200 grants.
    world.execute(
        "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 300) \
         INSERT INTO grants (id, client, subject, scope, created_at, expires_at) \
         SELECT 'g' || n, 'app-' || n, 'dr', 'openid', 1, 1900000000 FROM n",
    );
    let page = browser.ask("GET", "/oauth/manage", &[], "");
    assert_eq!(page.text.matches("name=\"withdraw\"").count(), 302);
    let section = page.text.split("<section>").find(|section| section.contains("Pub &lt;b&gt;")).unwrap();
    assert_eq!(page.text.matches("<h2>Pub").count(), 1);
    assert!(section.contains("Since 15 Jan 2027, last used 16 Jan 2027, until 16 Apr 2027 at most."), "{section}");
    for said in [
        "Of the patients Ada Bell, Ben &lt;i&gt; Bell. Also of every other patient whom you may see.",
        "<strong>Conditions and allergies</strong>: health problems and diagnoses</li>",
        "<strong>Identity and personal details</strong>: name, birth date, address and other personal details</li>",
    ] {
        assert!(section.contains(said), "{said}: {section}");
    }
    assert_eq!(section.matches("problems and diagnoses").count(), 1);

    let done = browser.submit(&page, "/oauth/manage", &[("withdraw", "pub")]);
    assert!(!done.text.contains("Pub &lt;b&gt;") && done.text.contains("value=\"other\""));
    assert_eq!(exchange(&world, &unspent, &[]).error(), "invalid_grant");
    for tokens in [&first, &second] {
        let form = [("grant_type", "refresh_token"), ("refresh_token", &*text(tokens, "refresh_token"))];
        assert_eq!(world.token(&[], &form).error(), "invalid_grant");
        assert_eq!(world.read_condition(&text(tokens, "access_token"), "ca"), 401);
    }
    let reads = |tokens| {
        let token = format!("Bearer {}", text(tokens, "access_token"));
        world.ask("GET", "/fhir/r4/Patient/a", &[("Authorization", &token)], "").status
    };
    assert_eq!((reads(&third), reads(&others)), (401, 200));
    assert_eq!(
        ask("user/Patient.read", &[("prompt", "none")]).error(),
        "consent_required",
        "nor is consent remembered"
    );
}

#[test]
fn lg01_lg04_no_credential_is_stored_or_logged() {
    let world = World::new();
    let (browser, consent) = sign_in(&world, "pa", &confidential(&[("scope", SCOPE)]));
    let code = browser.allow(&consent).heard()["code"].clone();
    let tokens = super::tokens::confidential_exchange(&world, &code);
    let marks = hidden(&consent);
    let typed = "a-password-typed-there";
    browser.submit(
        &browser.authorize(&request(&[("prompt", "login")])),
        "/oauth/login",
        &[("username", typed), ("password", typed)],
    );
    world.token(&[], &[("grant_type", "refresh_token"), ("refresh_token", &text(&tokens, "refresh_token"))]);
    assert_eq!(world.read_condition(&text(&tokens, "access_token"), "ca"), 200);
    assert_eq!(super::tokens::confidential_exchange(&world, &code).error(), "invalid_grant");
    let mut secrets = vec![
        typed.to_owned(),
        super::VERIFIER.to_owned(),
        super::BASIC.1.to_owned(),
        code,
        text(&tokens, "refresh_token"),
        text(&tokens, "access_token"),
        marks[0].1.clone(),
        marks[1].1.clone(),
    ];
    secrets.extend(browser.cookies.borrow().values().cloned());
    let mut kept = String::new();
    for table in
        ["users", "sessions", "pending_authorizations", "single_use_tokens", "grants", "password_failures", "launches"]
    {
        let connection = world.connection.borrow();
        let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            for at in 0..columns {
                kept.push_str(&format!("{:?}\n", row.get_ref(at).unwrap()));
                if let Ok(text) = row.get::<_, String>(at) {
                    kept.push_str(&text);
                }
            }
        }
    }
    assert!(kept.contains("https://conf.example"), "it was looked at");
    let logged = world.log.borrow();
    for event in ["\"login\"", "wrong_password", "\"consent\"", "\"code\"", "\"refresh\"", "\"read\"", "reuse detected"]
    {
        assert!(logged.contains(event), "{event}: {logged}");
    }
    for secret in secrets {
        assert!(!kept.contains(&secret) && !logged.contains(&secret), "{secret}");
    }
}
