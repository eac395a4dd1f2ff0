//! Agents: the resource `/mcp`, and clients that a document describes. The names of tests have the numbers of the cases
//! of the resource.

use super::{code, exchange, request, text};
use crate::support::{BASE, ORIGIN};
use crate::world::{Answered, Browser, World, encoded};
use base64ct::{Base64UrlUnpadded, Encoding};
use oauth::Agents;
use serde_json::{Value, json};

const MCP: &str = "http://edge.test/mcp";
const DOCUMENT: &str = "https://agent.example/client.json";
const CALLBACK: &str = "http://localhost:61234/callback";

/// Returns a server that admits agents, and the document of one.
fn world() -> World {
    let mut world = World::new();
    world.settings.agents = Some(Agents::Any);
    publish(&world, "client_name", json!("The <b>hospital"));
    world
}

/// Publishes the document with a changed member. Its earlier form is no longer cached.
fn publish(world: &World, name: &str, value: Value) {
    let redirects = ["http://localhost/callback", "https://agent.example/cb"];
    let document = json!({"client_id": DOCUMENT, "client_name": "Agent", "redirect_uris": redirects});
    world.provider.publish(DOCUMENT, oauth::testing::with(document, name, value));
    world.pass(61);
}

/// Asks for access of the agent, with some parameters changed.
fn ask(browser: &Browser<'_>, changes: &[(&str, &str)]) -> Answered {
    let own = [("client_id", DOCUMENT), ("redirect_uri", CALLBACK), ("aud", ""), ("resource", MCP), ("scope", "")];
    browser.authorize(&request(&[&own, changes].concat()))
}

fn tokens(world: &World, scope: &str) -> Answered {
    let browser = world.browser();
    let consent = browser.login(&ask(&browser, &[("scope", scope)]), "pa");
    let code = browser.allow(&consent).heard()["code"].clone();
    exchange(world, &code, &[("client_id", DOCUMENT), ("redirect_uri", CALLBACK)])
}

fn refresh(world: &World, changes: &[(&str, &str)]) -> Answered {
    world.token(&[], &[&[("grant_type", "refresh_token")], changes].concat())
}

pub fn claims(answer: &Answered) -> Value {
    let token = text(answer, "access_token");
    serde_json::from_slice(&Base64UrlUnpadded::decode_vec(token.split('.').nth(1).unwrap()).unwrap()).unwrap()
}

#[test]
fn mcp35_mcp36_mcp37_a_token_is_for_the_one_resource_that_was_asked_for() {
    let mut world = world();
    let slash = |address: &str| format!("{address}/");
    for (aud, resource, expected) in [
        ("", MCP, Ok(MCP)),
        ("", &slash(MCP), Ok(MCP)),
        ("", ORIGIN, Ok(MCP)),
        (&slash(MCP), "", Ok(MCP)),
        (MCP, MCP, Ok(MCP)),
        ("", BASE, Ok(BASE)),
        (BASE, &slash(BASE), Ok(BASE)),
        ("", "", Err("invalid_request")),
        (ORIGIN, "", Err("invalid_request")),
        (BASE, MCP, Err("invalid_target")),
        ("https://other.example/mcp", MCP, Err("invalid_target")),
        ("", "https://other.example/mcp", Err("invalid_target")),
        ("", &format!("{MCP}/x"), Err("invalid_target")),
    ] {
        let asked = request(&[("aud", aud), ("resource", resource), ("scope", "patient/*.read")]);
        match expected {
            Ok(audience) => assert_eq!(claims(&exchange(&world, &code(&world, &asked), &[]))["aud"], audience),
            Err(error) => assert_eq!(world.browser().authorize(&asked).error(), error, "{aud} {resource}"),
        }
    }
    assert_eq!(ask(&world.browser(), &[("aud", BASE), ("resource", "")]).error(), "invalid_target", "no registration");
    world.settings.agents = None;
    assert_eq!(world.browser().authorize(&request(&[("resource", MCP)])).error(), "invalid_target");
    assert_eq!(ask(&world.browser(), &[]).status, 400, "no document is read");
}

#[test]
fn mcp27_mcp30_mcp31_mcp33_mcp34_each_call_needs_a_token_of_its_resource_that_is_active() {
    let world = world();
    let challenge = |token: &str| {
        let headers = [("Authorization", &*format!("Bearer {token}")), ("Content-Type", "application/json")];
        let answer = world.ask("POST", "/mcp", &headers, r#"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"#);
        let challenge = answer.headers.get("WWW-Authenticate").cloned().unwrap_or_default();
        (answer.status, challenge)
    };
    let refused = |why: &str| {
        let metadata = format!("{ORIGIN}/.well-known/oauth-protected-resource/mcp");
        let scope = "scope=\"patient/*.rs\", error=\"invalid_token\"";
        (401, format!("Bearer resource_metadata=\"{metadata}\", {scope}{why}"))
    };
    let [one, other] = [(); 2].map(|()| text(&tokens(&world, ""), "access_token"));
    let of_app = text(&exchange(&world, &code(&world, &request(&[])), &[]), "access_token");
    assert_eq!((challenge(&one), challenge(&other).0), ((200, String::new()), 200));
    assert_eq!((world.read_condition(&one, "ca"), world.read_condition(&of_app, "ca")), (401, 200));
    assert_eq!(world.read_condition(&format!("mcp {one}"), "ca"), 401, "a token that is known for another resource");
    assert_eq!(challenge(&of_app), refused(""));
    let form = encoded(&[("token", &one), ("client_id", DOCUMENT)]);
    assert_eq!(world.ask("POST", "/oauth/revoke", &[], &form).status, 200);
    assert_eq!(challenge(&one), refused(", error_description=\"revoked\""));
    world.pass(3_600);
    assert_eq!(challenge(&other), refused(", error_description=\"expired\""));
}

#[test]
fn mcp38_a_token_request_names_the_resource_of_its_grant_or_none() {
    let world = world();
    let asked = request(&[("resource", MCP), ("aud", ""), ("scope", "fhirUser offline_access patient/*.read")]);
    let code_of_agent = code(&world, &asked);
    assert_eq!(exchange(&world, &code_of_agent, &[("resource", BASE)]).error(), "invalid_target");
    let issued = exchange(&world, &code_of_agent, &[("resource", MCP)]);
    assert_eq!((&issued.json()["expires_in"], &claims(&issued)["fhirUser"]), (&json!(3_600), &json!("Patient/a")));
    let token = text(&issued, "refresh_token");
    let refreshed = |resource: &str| refresh(&world, &[("refresh_token", &token), ("resource", resource)]);
    assert_eq!(refreshed("https://other.example").error(), "invalid_target");
    assert_eq!(claims(&refreshed(&format!("{MCP}/")))["aud"], MCP);
    let code_of_app = code(&world, &request(&[]));
    assert_eq!(exchange(&world, &code_of_app, &[("resource", MCP)]).error(), "invalid_target");
    assert_eq!(exchange(&world, &code_of_app, &[("resource", BASE)]).status, 200);
}

#[test]
fn mcp40_mcp50_the_pages_name_the_host_and_only_the_consent_what_the_client_says() {
    let world = world();
    let browser = world.browser();
    let page = ask(&browser, &[("redirect_uri", "https://agent.example/cb")]);
    assert!(page.text.contains("To let <strong>agent.example</strong> ask") && !page.text.contains("hospital"));
    let consent = browser.login(&page, "pa");
    for words in
        ["<strong>agent.example</strong>, which says it is “The &lt;b&gt;hospital”, would", "Allow agent.example?"]
    {
        assert!(consent.text.contains(words), "{words}: {}", consent.text);
    }
    assert!(!consent.text.contains("program on this computer") && consent.text.contains("leaves this server"));
    assert_eq!(browser.allow(&consent).heard()["iss"], ORIGIN);
    let denied = browser.submit(&ask(&browser, &[]), "/oauth/consent", &[("decision", "deny")]).heard();
    assert_eq!((denied["iss"].as_str(), denied["error"].as_str()), (ORIGIN, "access_denied"));
    assert!(!browser.authorize(&request(&[])).text.contains("leaves this server"));
}

#[test]
fn mcp41_mcp42_mcp43_a_client_without_a_right_document_is_answered_with_a_page() {
    let world = world();
    publish(&world, "client_id", json!("https://agent.example/other"));
    for (id, why) in [
        (DOCUMENT, "description of the app"),
        ("https://agent.example/missing", "description of the app"),
        // It is not fetched.
        ("https://127.0.0.1/client.json", "not registered"),
    ] {
        let answer = ask(&world.browser(), &[("client_id", id)]);
        assert_eq!((answer.status, answer.location()), (400, None), "{id}");
        assert!(answer.text.contains(why), "{id} {}", answer.text);
    }
}

#[test]
fn mcp39_mcp44_mcp45_a_program_on_this_computer_is_accepted_with_a_warning() {
    let world = world();
    let browser = world.browser();
    let consent = browser.login(&ask(&browser, &[]), "pa");
    assert!(consent.text.contains("a program on this computer; we cannot know which"), "{}", consent.text);
    for uri in ["http://localhost:61234/other", "http://127.0.0.1:61234/callback", "https://evil.example/callback"] {
        let answer = ask(&browser, &[("redirect_uri", uri)]);
        assert_eq!((answer.status, answer.location()), (400, None), "{uri}");
    }
    for changes in [&[("code_challenge", ""), ("code_challenge_method", "")][..], &[("code_challenge_method", "plain")]]
    {
        assert_eq!(ask(&browser, changes).error(), "invalid_request", "{changes:?}");
    }
}

#[test]
fn mcp46_consent_is_asked_each_time_and_for_each_resource() {
    let world = world();
    let browser = world.browser();
    assert!(browser.allow(&browser.login(&ask(&browser, &[]), "pa")).heard().contains_key("code"));
    publish(&world, "client_name", json!("Another"));
    assert!(ask(&browser, &[]).text.contains("“Another”"));
    assert_eq!(ask(&browser, &[("prompt", "none")]).error(), "consent_required");
    // A registered client was allowed to read at the FHIR base, and asks for the same at `/mcp`.
    let of_app = |aud: &str| browser.authorize(&request(&[("scope", "patient/*.read"), ("aud", aud)]));
    assert!(browser.allow(&of_app(BASE)).heard().contains_key("code"));
    assert_eq!((of_app(BASE).status, of_app(MCP).status), (303, 200));
}

#[test]
fn mcp47_mcp93_an_agent_gets_scopes_that_read_for_a_person_and_by_default_those_of_the_resource() {
    let world = world();
    for (asked, granted) in [
        ("", "patient/*.rs"),
        ("system/*.rs patient/Coverage.rs launch/patient nonsense openid", "patient/Coverage.rs openid"),
        ("patient/*.* patient/Observation.rs?category=laboratory", "patient/Observation.rs?category=laboratory"),
    ] {
        assert_eq!(text(&tokens(&world, asked), "scope"), granted, "{asked}");
    }
    assert_eq!(ask(&world.browser(), &[("scope", "system/*.rs")]).error(), "invalid_scope");
    // A registered client gets what it is approved for.
    let granted = || text(&exchange(&world, &code(&world, &request(&[("aud", MCP), ("scope", "")])), &[]), "scope");
    assert_eq!(granted(), "patient/*.rs");
    world.execute("UPDATE clients SET registration = json_set(registration, '$.scopes', 'openid patient/Goal.read')");
    assert_eq!(granted(), "patient/Goal.read");
}

#[test]
fn mcp48_mcp49_refresh_tokens_are_for_offline_access_and_used_once() {
    let mut world = world();
    assert!(tokens(&world, "patient/*.rs").json().get("refresh_token").is_none());
    let first = text(&tokens(&world, "patient/*.rs offline_access"), "refresh_token");
    let again = |world: &World, token: &str| refresh(world, &[("refresh_token", token), ("client_id", DOCUMENT)]);
    // An agent that is stopped, or no longer admitted, gets no tokens.
    world.settings.agents = Agents::parse("other.example").unwrap();
    assert_eq!(again(&world, &first).error(), "invalid_client");
    world.settings.agents = Some(Agents::Any);
    world.execute(&format!("INSERT INTO stopped (client) VALUES ('{DOCUMENT}')"));
    assert_eq!((again(&world, &first).error().as_str(), ask(&world.browser(), &[]).status), ("invalid_client", 400));
    world.execute("DELETE FROM stopped");
    // The document is not needed any more.
    world.provider.stop();
    world.pass(86_400);
    let next = text(&again(&world, &first), "refresh_token");
    world.pass(30);
    assert_eq!(again(&world, &first).error(), "invalid_grant");
    assert_eq!(again(&world, &next).error(), "invalid_grant", "the grant has ended");
}
