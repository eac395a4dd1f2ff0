//! SMART Health Links (<https://hl7.org/fhir/uv/smart-health-cards-and-links/STU1/links-specification.html>). A file is
//! encrypted before it comes here, and its key never does (docs/decisions/permission-and-sign-in.md#links-to-share).

use base64ct::{Base64UrlUnpadded, Encoding};
use serde_json::{Value, json};

use super::app_context::AppContext;
use super::audit::AuditEntry;
use super::bearer::ParsedRequest;
use super::http::call::{Call, Method};
use super::http::form::json_in;
use super::http::problem::Problem;
use super::http::reply::{HeaderPolicy, Reply};
use super::http::routes::{Handler, path_of};
use super::http::throttle::Throttle;
use fhir::{Id, Issue, IssueCode, Reference, ResourceType};
use oauth::{
    AuthStore, AuthStoreError, Crypto, EventContext, Fetch, Guard, HealthLink, MAX_LINKS, NO_PASSCODE, Pepper, TICKET,
    hashed, same, token_of,
};
use store::Store;

/// The longest life of a link, in seconds.
const MAX_LIFE: i64 = 30 * 86_400;
/// The life of an address of a file, in seconds: the most that the guide permits.
const TICKET_LIFE: i64 = 3_600;
/// The number of wrong passcodes in the life of a link.
const ATTEMPTS: u32 = 10;
/// The media type of the file, once it is decrypted.
const FHIR: &str = "application/fhir+json";

/// Stores an encrypted file, and answers with the address of its link. The token must have a user and a patient, and
/// open the patient.
///
/// # Errors
/// If the token does not permit it, or the request is malformed.
pub async fn make<S: Store, L: AuthStore, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    audit: &mut AuditEntry,
) -> Result<Reply<S::Body>, Problem> {
    let authorized = ParsedRequest::of(call)?.authorize(app, call, Some(audit)).await?;
    let grant = authorized.grant();
    let (Some(user), Some(patient)) = (&grant.user, &grant.patient) else {
        return Err(Problem::MayNot { what: "sharing records", scope: "launch/patient patient/Patient.r" });
    };
    let reference = Reference { resource_type: ResourceType::Patient, id: patient.clone() };
    let permitted = grant.permits(reference)?;
    // The store answers only if the grant is active.
    app.store.read(&permitted).await?.found.ok_or(Problem::NotFound)?;
    let body = body_of(call)?;
    let text = |name| body.get(name).and_then(Value::as_str).unwrap_or_default();
    let (flag, passcode, label, file) = (text("flag"), text("passcode"), text("label"), text("file"));
    let (now, expires_at) = (call.moment.seconds(), body.get("exp").and_then(Value::as_i64).unwrap_or_default());
    let checks = [
        ("flag", matches!(flag, "U" | "P"), "It is U, for a file without a passcode, or P, for one with a passcode."),
        (
            "passcode",
            matches!((flag, length(passcode)), ("P", 6..=64) | ("U", 0)),
            "With P it has 6 to 64 characters, not counting the blanks around them.",
        ),
        ("exp", expires_at > now && expires_at - now <= MAX_LIFE, "It is in seconds since 1970, in at most 30 days."),
        ("label", (1..=80).contains(&length(label)), "It has 1 to 80 characters that can be seen."),
        ("file", is_encrypted(file), "It is a compact JWE: dir, A256GCM, and cty application/fhir+json."),
    ];
    if let Some((name, _, says)) = checks.into_iter().find(|(_, is_right, _)| !is_right) {
        return Err(Problem::from(Issue::error(IssueCode::Value, says).about(name)));
    }
    let address = token_of(&call.moment.random, "health-link");
    let id = hashed(&address);
    let link = HealthLink {
        passcode: if flag == "P" { passcode_hash(&app.settings.pepper, &id, passcode) } else { String::new() },
        user: user.clone(),
        patient: patient.as_str().to_owned(),
        label: label.to_owned(),
        attempts: ATTEMPTS,
        created_at: now,
        expires_at,
        file: file.to_owned(),
        id,
    };
    if !app.auth_store.add_link(&link).await.map_err(fault)? {
        return Err(Problem::from(Issue::error(IssueCode::TooCostly, format!("There are {MAX_LINKS} links."))));
    }
    audit.disclosure.patients = vec![patient.clone()];
    audit.event.context.grant = Some(link.id);
    let url = format!("{}{}/{address}", app.settings.issuer, path_of(Handler::MakeLink));
    Ok(Reply::text(200, HeaderPolicy::UncachedJson, json!({"url": url}).to_string()))
}

/// Answers a request for the manifest of a link (POST) or for its file (GET).
///
/// # Errors
/// If there is no such link, or it has ended.
pub async fn open<S: Store, L: AuthStore + Guard, C>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    address: &str,
    audit: &mut AuditEntry,
) -> Result<Reply<S::Body>, Problem> {
    let (now, pepper, id) = (call.moment.seconds(), &app.settings.pepper, hashed(address));
    let parameters = ParsedRequest::of(call)?;
    let parameter = |name: &str| parameters.parameters().iter().find(|(of, _)| of == name).map(|(_, value)| value);
    let body = if call.method == Method::Post { Some(body_of(call)?) } else { None };
    let text = |name| body.as_ref().and_then(|body| body.get(name)).and_then(Value::as_str);
    let passcode = text("passcode").filter(|passcode| !passcode.is_empty());
    let passcode = passcode.map(|passcode| passcode_hash(pepper, &id, passcode));
    let recipient = text("recipient").or_else(|| parameter("recipient").map(String::as_str));
    let ticket = parameter("ticket").filter(|_| body.is_none());
    if ticket.is_none() && recipient.is_none_or(str::is_empty) {
        return Err(Problem::from(Issue::error(IssueCode::Required, "It says who opens the link.").about("recipient")));
    }
    let recipient = recipient.map(|recipient| recipient.chars().take(100).collect());
    let about = EventContext { grant: Some(id.clone()), recipient, ..EventContext::default() };
    audit.event.context = about.clone();
    let key = match (ticket, &passcode) {
        (Some(ticket), _) => {
            let until = ticket_end(pepper, &id, ticket, now).ok_or(Problem::NotFound)?;
            let is_first = app.auth_store.redeem_assertion("", ticket, until).await.map_err(fault)?;
            if is_first { TICKET } else { return Err(Problem::NotFound) }
        }
        (None, Some(passcode)) => passcode,
        (None, None) => body.as_ref().map_or("", |_| NO_PASSCODE),
    };
    let link = app.auth_store.open_link(&id, key, now).await.map_err(fault)?.ok_or(Problem::NotFound)?;
    let patient = Id::parse(&link.patient);
    audit.event.context = EventContext { patient: Some(link.patient), ..about };
    let reply = |status, text: String| Ok(Reply::text(status, HeaderPolicy::UncachedJson, text));
    if link.file.is_empty() {
        audit.record_refusal("wrong_passcode");
        return reply(401, json!({"remainingAttempts": link.attempts}).to_string());
    }
    audit.event.name = "link-opened";
    audit.disclosure.patients = patient.into_iter().collect();
    let Some(body) = body else {
        return reply(200, link.file).map(|reply| reply.with("Content-Type", "application/jose"));
    };
    // A number may be written as 1e3.
    let most = body.get("embeddedLengthMax").and_then(Value::as_f64);
    let length = u32::try_from(link.file.len()).map_or(f64::INFINITY, f64::from);
    let (member, value) = if most.is_none_or(|most| length <= most) {
        ("embedded", link.file)
    } else {
        let ticket = new_ticket(pepper, &id, &format!("{}.{}", now + TICKET_LIFE, call.moment.event_id(1)));
        ("location", format!("{}{}?ticket={ticket}", app.settings.issuer, call.target.path))
    };
    reply(200, json!({"status": "finalized", "files": [{"contentType": FHIR, member: value}]}).to_string())
}

fn body_of(call: &Call<'_>) -> Result<Value, Problem> {
    let malformed =
        || Problem::from(Issue::error(IssueCode::Structure, "The body is not JSON, or has a member twice."));
    json_in(call.body.as_deref().ok_or(Problem::TooLong)?).ok_or_else(malformed)
}

fn fault(AuthStoreError(detail): AuthStoreError) -> Problem {
    Problem::Storage(detail)
}

/// Returns the stored form of a passcode. It is short, so that only a secret outside of the database protects it.
fn passcode_hash(pepper: &Pepper, id: &str, passcode: &str) -> String {
    pepper.pseudonym("health-link", &format!("{id}\n{passcode}"))
}

/// Returns a ticket for the file of a link. `text` has its end, a dot, and what makes it unique.
fn new_ticket(pepper: &Pepper, id: &str, text: &str) -> String {
    format!("{text}.{}", pepper.pseudonym("health-link-ticket", &format!("{id}\n{text}")))
}

/// Returns the end of a ticket of this server for a link, in seconds since 1970. `None` if it has ended.
fn ticket_end(pepper: &Pepper, id: &str, ticket: &str, now: i64) -> Option<i64> {
    let (text, _) = ticket.rsplit_once('.')?;
    let end = text.split('.').next()?.parse().ok().filter(|end| *end > now)?;
    same(&new_ticket(pepper, id, text), ticket).then_some(end)
}

/// Returns the length of a text in characters, not counting the blanks around it. It is too long if it has characters
/// that are not shown or turn the text around them.
fn length(text: &str) -> usize {
    let is_mark = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if text.contains(|c: char| c.is_control() || is_mark(c)) { usize::MAX } else { text.trim().chars().count() }
}

/// Returns whether a text has the form of a file that is encrypted by A256GCM: no encrypted key, an IV of 12 bytes, and
/// a tag of 16. No plain text is stored by mistake.
fn is_encrypted(file: &str) -> bool {
    let parts: Vec<_> = file.splitn(6, '.').collect();
    let [head, "", iv, text, tag] = parts.as_slice() else { return false };
    let head = Base64UrlUnpadded::decode_vec(head).unwrap_or_default();
    let Some(head) = json_in(&head) else { return false };
    let has = |name, value| head.get(name).and_then(Value::as_str) == Some(value);
    let is_legal = |part: &&str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let is_compact = (iv.len(), tag.len()) == (16, 22) && !text.is_empty() && [iv, text, tag].into_iter().all(is_legal);
    is_compact && has("alg", "dir") && has("enc", "A256GCM") && has("cty", FHIR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hl04_a_ticket_is_of_one_link_and_ends_after_an_hour() {
        let pepper = Pepper::new(b"test");
        let ticket = new_ticket(&pepper, "a", "3600.x");
        let end = |id, now| ticket_end(&pepper, id, &ticket, now);
        assert_eq!((end("a", 3_599), end("a", 3_600), end("b", 0)), (Some(3_600), None, None));
    }

    #[test]
    fn hl01_a_file_has_the_parts_of_its_encryption_and_a_label_can_be_seen() {
        let head = Base64UrlUnpadded::encode_string(br#"{"alg":"dir","enc":"A256GCM","cty":"application/fhir+json"}"#);
        let (iv, tag) = ("i".repeat(16), "t".repeat(22));
        let of = |rest: &str| is_encrypted(&format!("{head}.{rest}"));
        assert!(of(&format!(".{iv}.x.{tag}")));
        for rest in ["...", &format!(".{iv}..{tag}"), &format!("k.{iv}.x.{tag}"), &format!(".{iv}.x.{tag}.")] {
            assert!(!of(rest), "{rest}");
        }
        assert_eq!([" a b ", "      ", "a\u{202e}b", "a\nb"].map(length), [3, 0, usize::MAX, usize::MAX]);
    }
}
