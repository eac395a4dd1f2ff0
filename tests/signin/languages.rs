//! The languages of the pages, by `Accept-Language` and by `ui_locales`.

use super::{code, request};
use crate::world::{Answered, Browser, World, encoded, hidden};

/// Checks that a page is in the language, and that its headers agree.
#[track_caller]
fn is_in(page: &Answered, language: &str, by_header: bool) {
    assert!(page.text.contains(&format!("<html lang=\"{language}\">")), "{} {}", page.status, page.text);
    assert_eq!(page.headers["Content-Language"], language);
    assert_eq!(page.headers["Vary"], if by_header { "Cookie, Accept-Language" } else { "Cookie" });
}

/// Goes through the sign-in, the patient selection and the consent, whose pages must have these words.
fn walk(browser: &Browser<'_>, changes: &[(&str, &str)], words: [&str; 4], check: &dyn Fn(&Answered)) {
    let says = |page: &Answered, word: &str| {
        check(page);
        assert!(page.text.contains(word), "{word}: {}", page.text);
    };
    let [sign_in, wrong, pick, allow] = words;
    let page = browser.authorize(&request(changes));
    says(&page, sign_in);
    let failed = browser.submit(&page, "/oauth/login", &[("username", "dr"), ("password", "x")]);
    says(&failed, wrong);
    let picked = browser.login(&page, "dr");
    says(&picked, pick);
    let consent = browser.submit(&picked, "/oauth/patient", &[("patient", "a")]);
    says(&consent, allow);
    let forged = browser.submit(&consent, "/oauth/consent", &[("decision", "allow"), ("scope", "patient/Goal.read")]);
    assert_eq!(forged.status, 400);
    check(&forged);
    assert!(browser.allow(&consent).heard().contains_key("code"));
}

const SPANISH: [&str; 4] = [
    "<p>Para que <strong>Pub &lt;b&gt;</strong> pueda pedir registros médicos.</p>",
    "no coinciden",
    "nacimiento: <time datetime=\"1990-01-01\">1 de enero de 1990</time>",
    "<h1>¿Permitir el acceso de Pub &lt;b&gt;?</h1>",
];
const ENGLISH: [&str; 4] = [
    "<p>To let <strong>Pub &lt;b&gt;</strong> ask for health records.</p>",
    "do not belong together",
    "born <time datetime=\"1990-01-01\">1 Jan 1990</time>",
    "<h1>Allow Pub &lt;b&gt;?</h1>",
];

#[test]
fn every_step_is_in_the_language_of_the_browser() {
    let world = World::new();
    for (accepted, language, words) in [
        ("es-MX,es;q=0.9,en;q=0.5", "es", SPANISH),
        ("en-US,en;q=0.9,es;q=0.8", "en", ENGLISH),
        ("es;q=0", "en", ENGLISH),
        ("*", "en", ENGLISH),
        ("", "en", ENGLISH),
    ] {
        let browser = world.browser();
        browser.language.set(accepted);
        walk(&browser, &[], words, &|page| is_in(page, language, true));
        let manage = browser.ask("GET", "/oauth/manage", &[], "");
        is_in(&manage, language, true);
        assert_eq!(manage.text.contains("Qué pueden hacer las aplicaciones"), language == "es");
    }
}

#[test]
fn every_step_is_in_the_language_that_the_app_asks_for_before_that_of_the_browser() {
    let world = World::new();
    for (locales, language, words) in
        [("es", "es", SPANISH), ("fr es-419 en", "es", SPANISH), ("en-GB es", "en", ENGLISH)]
    {
        let browser = world.browser();
        browser.language.set(if language == "es" { "en" } else { "es" });
        walk(&browser, &[("ui_locales", locales)], words, &|page| is_in(page, language, false));
    }
    for ignored in ["fr", "es_MX", "  ", "\u{0}", "es,en", &"x".repeat(5_000)] {
        let browser = world.browser();
        browser.language.set("es");
        walk(&browser, &[("ui_locales", ignored)], SPANISH, &|page| is_in(page, "es", true));
    }
}

#[test]
fn the_language_is_kept_when_an_app_posts_its_request_and_when_the_request_is_as_long_as_can_be() {
    let world = World::new();
    let browser = world.browser();
    let posted = encoded(&request(&[("ui_locales", "es")]));
    let page = browser.follow(browser.ask("POST", "/oauth/authorize", &[], &posted));
    is_in(&page, "es", false);
    let refused = |length: usize| {
        let (state, browser) = ("s".repeat(length), world.browser());
        let [plain, spanish] =
            ["", "es"].map(|locales| browser.authorize(&request(&[("state", &state), ("ui_locales", locales)])).status);
        assert_eq!(plain, spanish, "{length}");
        plain == 303
    };
    assert!(!refused(2_048) && refused(2_049));
}

#[test]
fn refusals_are_in_the_language_of_the_request() {
    let world = World::new();
    for (changes, said) in [
        (&[("client_id", "nobody")][..], "La aplicación que lo envió no está registrada aquí (client_id)."),
        (&[("client_id", "")], "La solicitud no dice de qué aplicación es (client_id)."),
        (&[("redirect_uri", "https://evil.example/")], "La dirección de regreso no es una de las que registró"),
        (&[("redirect_uri", "")], "La solicitud no dice a qué dirección regresar (redirect_uri)."),
    ] {
        let asked = [changes, &[("ui_locales", "es")]].concat();
        let page = world.browser().authorize(&request(&asked));
        assert_eq!(page.status, 400);
        is_in(&page, "es", false);
        assert!(page.text.contains(said), "{}", page.text);
    }
    let browser = world.browser();
    browser.language.set("es");
    for (method, path, said) in [
        ("GET", "/oauth/sign-in?interaction=x", "Esta solicitud ha terminado"),
        ("GET", "/oauth/sign-in?interaction=%", "La solicitud no está bien formada."),
        ("POST", "/oauth/login", "Este formulario no es válido aquí"),
        ("GET", "/oauth/logout?state=a&state=b", "La solicitud tiene un parámetro repetido o demasiado largo."),
    ] {
        let page = browser.ask(method, path, &[], "");
        assert_eq!(page.status, 400, "{path}");
        is_in(&page, "es", true);
        assert!(page.text.contains(said), "{}", page.text);
    }
}

#[test]
fn errors_for_apps_stay_in_english() {
    let world = World::new();
    let browser = world.browser();
    browser.language.set("es");
    let denied = browser.authorize(&request(&[("ui_locales", "es"), ("aud", "")])).heard();
    assert_eq!((denied["error"].as_str(), denied["error_description"].as_str()), ("invalid_request", "aud is missing"));
    let none = browser.authorize(&request(&[("ui_locales", "es"), ("prompt", "none")])).heard();
    assert_eq!(none["error_description"], "nobody is signed in");
    let token = world.ask("POST", "/oauth/token", &[("Accept-Language", "es")], "grant_type=x");
    assert!(token.json()["error_description"].as_str().unwrap().is_ascii(), "{}", token.text);
    let fhir = world.ask("GET", "/fhir/r4/Condition", &[("Accept-Language", "es")], "");
    assert!(fhir.text.contains("OperationOutcome") && fhir.text.is_ascii(), "{}", fhir.text);
    assert!(!fhir.headers.contains_key("Content-Language"));
}

#[test]
fn the_page_of_apps_and_the_sign_out_keep_the_language_that_is_asked_for() {
    let world = World::new();
    let browser = world.browser();
    code_in(&browser);
    let page = browser.ask("GET", "/oauth/manage?ui_locales=es", &[], "");
    is_in(&page, "es", false);
    assert!(
        page.text.contains("Desde el 15 de enero de 2027, usado por última vez el 15 de enero de 2027, hasta"),
        "{}",
        page.text
    );
    assert!(page.text.contains("aria-label=\"Retirar el acceso de Pub &lt;b&gt;\""), "{}", page.text);
    let done = browser.submit(&page, "/oauth/manage", &[("withdraw", "pub")]);
    is_in(&done, "es", false);
    assert!(done.text.contains("Acceso retirado."), "{}", done.text);
    let out = browser.ask("GET", "/oauth/logout?client_id=pub&ui_locales=es", &[], "");
    is_in(&out, "es", false);
    assert!(out.text.contains("<strong>Pub &lt;b&gt;</strong> pide cerrar su sesión."), "{}", out.text);
    let gone = browser.submit(&out, "/oauth/logout", &[]);
    is_in(&gone, "es", false);
    assert!(gone.text.contains("Ha cerrado la sesión"), "{}", gone.text);
    // The form of another site is sent without the cookie.
    let cross_site = [("Origin", "https://pub.example"), ("Sec-Fetch-Site", "cross-site")];
    let answer = world.ask("POST", "/oauth/logout", &cross_site, "ui_locales=fr+es&ui_locales=en");
    assert_eq!(answer.location(), Some("/oauth/logout?ui_locales=es"));
}

fn code_in(browser: &Browser<'_>) {
    let consent = browser.login(&browser.authorize(&request(&[])), "pa");
    let code = browser.allow(&consent).heard()["code"].clone();
    assert_eq!(super::exchange(browser.world(), &code, &[]).status, 200);
}

#[test]
fn the_simulated_ehr_speaks_spanish() {
    let world = World::new();
    let browser = world.browser();
    browser.language.set("es");
    let page = browser.ask("GET", "/sandbox/launch", &[], "");
    is_in(&page, "es", true);
    let texts = ["trabaja en el EHR", "De quién es el expediente abierto", "Aplicación", "de nadie", ">Abrir<"];
    assert!(texts.iter().all(|text| page.text.contains(text)), "{}", page.text);
    for english in ["Launch", "Whose", "nobody", "works"] {
        assert!(!page.text.contains(english), "{english}: {}", page.text);
    }
    let refused = browser.ask("POST", "/sandbox/launch", &[], "client_id=nobody&user=dr");
    is_in(&refused, "es", true);
    assert!(refused.text.contains("No se puede abrir la aplicación"), "{}", refused.text);
    assert!(refused.text.contains("<p lang=\"en\">"), "{}", refused.text);
}

#[test]
fn the_language_is_passed_on_to_an_identity_provider() {
    let world = World::new();
    for (locales, passed) in [("fr es-MX", Some("es")), ("en es", Some("en")), ("fr", None), ("", None)] {
        let browser = world.browser();
        browser.language.set("es");
        let page = browser.authorize(&request(&[("ui_locales", locales)]));
        let link = format!("/oauth/provider?interaction={}&provider=https://idp.example", hidden(&page)[1].1);
        let asked = browser.ask("GET", &link, &[("Sec-Fetch-Site", "same-origin")], "").heard();
        assert_eq!(asked.get("ui_locales").map(String::as_str), passed, "{locales}");
    }
    let browser = world.browser();
    let page = browser.ask("GET", "/oauth/manage?ui_locales=es", &[], "");
    let link = page.text.split("href=\"").find(|rest| rest.starts_with("/oauth/provider")).unwrap();
    let link = link.split('"').next().unwrap().replace("&amp;", "&");
    let asked = browser.ask("GET", &link, &[("Sec-Fetch-Site", "same-origin")], "").heard();
    assert_eq!(asked["ui_locales"], "es");
    assert!(!code(&world, &request(&[("ui_locales", "es")])).is_empty());
}
