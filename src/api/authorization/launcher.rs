//! Launches by an EHR (SMART App Launch, "Launch app: EHR launch"): the endpoint that prepares a launch, and a
//! simulated EHR for the sandbox. Anybody may launch in the sandbox; the user still has to sign in.

use maud::html;
use serde_json::{Map, Value};

use super::client_endpoints;
use super::pages::{self, Messages, page};
use super::patients::StorePatients;
use super::sandbox::people;
use crate::app_context::AppContext;
use crate::audit::{AuditEntry, Events};
use crate::configuration::settings::Settings;
use crate::http::call::{Call, Method};
use crate::http::form::{decode, is_form, json_in};
use crate::http::reply::{HeaderPolicy, Reply};
use collections::order::set_of;
use fhir::json;
use oauth::{
    AuthStore, AuthStoreError, Client, Crypto, Event, EventContext, Fetch, Guard, LaunchRequest, LaunchResponse,
    OAuthError, OAuthErrorCode, PatientDirectory, PatientQuery, VerifiedRedirect,
};
use store::Store;

/// The most patients in the form.
const SHOWN: usize = 100;

/// The value of `encounter` in the form for the latest encounter of the patient. It is not an id.
const LATEST: &str = "$latest";

/// Answers `/sandbox/launch` with the form or a launch. The text is for the log.
pub async fn simulate<S: Store, L: AuthStore, C: Crypto>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    events: &mut Events,
) -> (Reply<S::Body>, Option<String>) {
    let messages = Messages::new(None, call);
    let answered =
        if call.method == Method::Post { Ok(launch(app, messages, call).await) } else { form(app, messages).await };
    let (reply, event, detail) = answered.unwrap_or_else(|error| {
        let event = Event::failed("launch", EventContext::default(), "fault");
        (pages::refusal(messages, 500, messages.something_failed(), messages.in_a_moment()), event, Some(error.0))
    });
    events.events.push(event);
    (reply, detail)
}

type Answer<B> = Result<(Reply<B>, Event, Option<String>), AuthStoreError>;

/// Returns the page with one form for each user, so that every choice in a form is valid: patients whom the user may
/// see, and apps that can be launched.
async fn form<S: Store, L: AuthStore, C: Crypto>(app: &AppContext<'_, S, L, C>, messages: Messages) -> Answer<S::Body> {
    let (clients, users) = app.auth_store.clients_and_users().await?;
    let apps: Vec<_> =
        clients.iter().filter_map(|client| Some((client, launch_address(client, app.settings)?))).collect();
    let leads_to = set_of(apps.iter().map(|(_, address)| address.origin()));
    let leads_to: Vec<_> = leads_to.into_iter().collect();
    let people = people(app).await;
    let patients = StorePatients { store: &app.store, base: &app.settings.base };
    let (mut listed, mut charts, mut detail) = (Vec::new(), Vec::new(), None);
    for user in &users {
        let access_list = app.auth_store.access_list(user, SHOWN).await?;
        let known = patients.find(user, PatientQuery::These(&access_list.patients)).await?;
        listed.extend_from_slice(&known.cards);
        charts.push((user, known.cards));
        detail = detail.or(known.unread);
    }
    let body = html! {
        h1 { (messages.launch_an_app()) }
        p { (messages.stands_for_ehr()) }
        @for (user, patients) in charts.iter().filter(|(_, patients)| !patients.is_empty()) {
            section {
                @if let Some(person) = people.iter().find(|person| person.name == **user) {
                    h2 { (messages.works_in_ehr(&person.full_name)) }
                    @let [name, password] = [&person.name, &person.password].map(|text| html! { code { (text) } });
                    p.note { (messages.ehr_signs_in(&name, &password)) }
                } @else {
                    h2 { (messages.works_in_ehr(user)) }
                }
                form method="post" action="/sandbox/launch" {
                    input type="hidden" name="user" value=(user);
                    label {
                        (messages.whose_chart()) " "
                        select name="patient" {
                            @for card in patients {
                                option value=(card.id) {
                                    (card.name)
                                    @if let Some(born) = &card.born { ", " (messages.born(&messages.date(born))) }
                                    @if card.is_deceased { ", " (messages.deceased()) }
                                }
                            }
                            option value="" { (messages.nobody_s()) }
                        }
                    }
                    label {
                        (messages.app()) " "
                        select name="client_id" required {
                            @for (client, _) in &apps { option value=(client.client_id) { (client.title()) } }
                        }
                    }
                    label.choice {
                        input type="checkbox" name="encounter" value=(LATEST) checked;
                        span { (messages.visit_is_open()) }
                    }
                    label.choice {
                        input type="checkbox" name="need_patient_banner" value="false";
                        span { (messages.ehr_has_banner()) }
                    }
                    label {
                        (messages.what_to_do()) " "
                        input type="text" name="intent" maxlength="100";
                    }
                    p.actions { button type="submit" { (messages.launch()) } }
                }
            }
        }
    };
    Ok((
        page(messages, 200, messages.launch_an_app(), &body, &leads_to),
        Event::disclosed(EventContext::default(), &listed),
        detail,
    ))
}

/// Returns the launch address of a launchable app. Apps of the sandbox are launchable if this server serves them.
fn launch_address(client: &Client, settings: &Settings) -> Option<VerifiedRedirect> {
    let address = client.launch_address().filter(|_| client.is_launchable())?;
    (address.origin() == settings.issuer || !client.sandbox).then_some(address)
}

/// Launches the app of the form, as the simulated EHR.
async fn launch<S: Store, L: AuthStore, C: Crypto>(
    app: &AppContext<'_, S, L, C>,
    messages: Messages,
    call: &Call<'_>,
) -> (Reply<S::Body>, Event, Option<String>) {
    let wants_json = call.header("Accept").is_some_and(|accept| accept.contains("json"));
    let launched = match launch_request(call) {
        Ok(request) => prepare_published(app, call, &request).await,
        Err(error) => Err(error),
    };
    let none = OAuthError::new(OAuthErrorCode::InvalidRequest, "the app has no address to be launched at");
    let to = launched.and_then(|launched| Ok((launched.launch_uri.ok_or(none)?, launched.about)));
    let (reply, code, detail) = match to {
        Ok((to, about)) => {
            let reply = if wants_json {
                Reply::text(200, HeaderPolicy::UncachedJson, serde_json::json!({"launch_uri": to}).to_string())
            } else {
                pages::redirect(&to)
            };
            return (reply, Event::done("launch", about), None);
        }
        Err(error) if wants_json => (client_endpoints::error_reply(&error), error.code, error.detail),
        Err(error) => {
            // The description is that of the JSON answer, for developers.
            let body = html! {
                h1 { (messages.no_such_launch()) }
                p lang="en" { (error.description) }
            };
            (page(messages, error.code.status(), messages.no_such_launch(), &body, &[]), error.code, error.detail)
        }
    };
    (reply, Event::failed("launch", EventContext::default(), code.code()), detail)
}

/// Answers `POST /oauth/launch`, with which an EHR prepares a launch using its own access token.
pub async fn prepare_launch<S: Store, L: AuthStore + Guard, C: Crypto + Fetch>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    audit: &mut AuditEntry,
) -> (Reply<S::Body>, Option<String>) {
    let authorization = call.header("Authorization");
    let launched = async {
        let ehr = client_endpoints::service(app, call).launcher(authorization.as_deref()).await?;
        audit.record_claim(Some(&ehr.client_id));
        Ok::<_, OAuthError>((ehr, prepare(app, call, &launch_request(call)?).await?))
    };
    match launched.await {
        Ok((ehr, launched)) => {
            audit.event.context = EventContext { client: Some(ehr.client_id), ..launched.about.clone() };
            (Reply::text(200, HeaderPolicy::UncachedJson, json(&launched)), None)
        }
        Err(error) => {
            audit.record_refusal(error.code.code());
            let reply = client_endpoints::error_reply(&error);
            // A request without a token gets no error code (RFC 6750, section 3.1).
            let reply = if authorization.is_none() { reply.with("WWW-Authenticate", "Bearer") } else { reply };
            (reply, error.detail)
        }
    }
}

/// Prepares a launch by a user of the sandbox. Anybody may launch there, so only published users are accepted.
async fn prepare_published<S: Store, L: AuthStore, C: Crypto>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    request: &LaunchRequest,
) -> Result<LaunchResponse, OAuthError> {
    let (_, users) = app.auth_store.clients_and_users().await?;
    if request.user.as_ref().is_some_and(|user| !user.is_empty() && !users.contains(user)) {
        return Err(OAuthError::new(OAuthErrorCode::InvalidRequest, "user is nobody of the sandbox"));
    }
    let request = match (&request.user, &request.patient) {
        (Some(user), Some(patient)) if request.encounter.as_deref() == Some(LATEST) => {
            let patients = StorePatients { store: &app.store, base: &app.settings.base };
            let latest = patients.encounters(user, patient, None).await?.into_iter().next();
            LaunchRequest { encounter: latest.map(|card| card.id), ..request.clone() }
        }
        _ => request.clone(),
    };
    prepare(app, call, &request).await
}

async fn prepare<S: Store, L: AuthStore, C: Crypto>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    request: &LaunchRequest,
) -> Result<LaunchResponse, OAuthError> {
    let patients = StorePatients { store: &app.store, base: &app.settings.base };
    let moment = (call.moment.seconds(), &call.moment.random);
    oauth::prepare_launch(&app.auth_store, &patients, request, &app.settings.base, moment).await
}

/// Parses a launch from a form or a JSON object. Unknown members are ignored.
fn launch_request(call: &Call<'_>) -> Result<LaunchRequest, OAuthError> {
    let why = "the body is neither a form nor a JSON object, or a member that is known is not one text";
    let malformed = || OAuthError::new(OAuthErrorCode::InvalidRequest, why);
    let text = call.body.as_deref().and_then(|body| std::str::from_utf8(body).ok()).ok_or_else(malformed)?;
    let mut members = Map::new();
    if is_form(call) {
        for (name, value) in decode(text).map_err(|_| malformed())? {
            if members.insert(name, value.into()).is_some() {
                return Err(malformed());
            }
        }
    } else if let Some(Value::Object(object)) = json_in(text.as_bytes()) {
        members = object;
    } else {
        return Err(malformed());
    }
    let member = |name| match members.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => Err(malformed()),
    };
    let need_patient_banner = match members.get("need_patient_banner") {
        None | Some(Value::Null) => None,
        Some(Value::Bool(needed)) => Some(*needed),
        Some(Value::String(text)) if text.is_empty() => None,
        Some(Value::String(text)) => Some(text.parse().map_err(|_| malformed())?),
        Some(Value::Number(_) | Value::Array(_) | Value::Object(_)) => return Err(malformed()),
    };
    Ok(LaunchRequest {
        client_id: member("client_id")?,
        user: member("user")?,
        patient: member("patient")?,
        encounter: member("encounter")?,
        intent: member("intent")?,
        need_patient_banner,
    })
}
