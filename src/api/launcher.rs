//! An EHR for the playground: it launches an app for a user and a patient (SMART App Launch, "Launch app: EHR launch").
//! A real EHR makes such handles itself; here anybody may, so the user must still sign in.

use std::collections::{BTreeMap, BTreeSet};

use super::call::{Call, Method};
use super::desk::Desk;
use super::form::{decode, is_form};
use super::html::Html;
use super::pages::{self, page};
use super::patients::StorePatients;
use super::reply::{Class, Reply};
use crate::oauth::{Client, Crypto, Launch, Ledger, LedgerError, Patients, VerifiedRedirect, Wanted, hashed, token_of};
use crate::store::Store;

/// How long a launch waits for its app, in seconds.
const LIFE: i64 = 300;
/// Patients to choose from.
const SHOWN: usize = 100;

/// `/sandbox/launch`: the form, or a launch; and what only the log may know of it.
pub async fn launch<S: Store, L: Ledger, C: Crypto>(
    desk: &Desk<'_, S, L, C>,
    call: &Call<'_>,
) -> (Reply<S::Body>, Option<String>) {
    let answered = if call.method == Method::Post { begin(desk, call).await } else { form(desk).await };
    answered.unwrap_or_else(|error| {
        (pages::refusal(500, "Something did not work", "Please try again in a moment."), Some(error.0))
    })
}

type Answer<B> = Result<(Reply<B>, Option<String>), LedgerError>;

async fn form<S: Store, L: Ledger, C: Crypto>(desk: &Desk<'_, S, L, C>) -> Answer<S::Body> {
    let (clients, users) = desk.ledger.everybody().await?;
    let apps: Vec<_> = clients.into_iter().filter(|client| client.launch_uri.is_some() && !client.disabled).collect();
    let leads_to: BTreeSet<_> = apps.iter().filter_map(launch_address).map(|address| address.origin()).collect();
    let leads_to: Vec<_> = leads_to.into_iter().collect();
    let mut known = BTreeMap::new();
    let patients = StorePatients { store: &desk.store, base: &desk.settings.base };
    for user in &users {
        let roster = desk.ledger.roster(user, SHOWN).await?;
        for card in patients.find(user, Wanted::These(&roster.patients)).await? {
            known.insert(card.id, card.name);
        }
    }
    let option =
        |value: &str, text: &str| Html::fill("<option value=\"{}\">{}</option>\n", &[value.into(), text.into()]);
    let apps: Html = apps.iter().map(|client| option(&client.client_id, client.title())).collect();
    let users: Html = users.iter().map(|user| option(user, user)).collect();
    let patients: Html = known.iter().map(|(id, name)| option(id, name)).collect();
    let body = Html::fill(
        "<h1>Launch an app</h1>\n<p>This stands for an EHR: somebody works in it, a chart is open, and an app is opened from \
         there.</p>\n<form method=\"post\" action=\"/sandbox/launch\">\n\
         <label for=\"client_id\">App</label>\n<select id=\"client_id\" name=\"client_id\" required>\n{}</select>\n\
         <label for=\"user\">Who works in the EHR</label>\n<select id=\"user\" name=\"user\" required>\n{}</select>\n\
         <label for=\"patient\">Whose chart is open</label>\n<select id=\"patient\" name=\"patient\">\n\
         <option value=\"\">nobody's</option>\n{}</select>\n\
         <p class=\"actions\"><button type=\"submit\">Launch</button></p>\n</form>\n",
        &[(&apps).into(), (&users).into(), (&patients).into()],
    );
    Ok((page(200, "Launch an app", &body, &leads_to), None))
}

async fn begin<S: Store, L: Ledger, C: Crypto>(desk: &Desk<'_, S, L, C>, call: &Call<'_>) -> Answer<S::Body> {
    let wants_json = call.header("Accept").is_some_and(|accept| accept.contains("json"));
    let refused = |why: &'static str| {
        let reply = if wants_json {
            let body = serde_json::json!({"error": "invalid_request", "error_description": why});
            Reply::text(400, Class::Client, body.to_string())
        } else {
            pages::refusal(400, "No such launch", why)
        };
        Ok((reply, None))
    };
    let Some(asked) = asked(call) else { return refused("The body is neither a form nor a JSON object.") };
    let get = |name: &str| asked.get(name).map(String::as_str).filter(|value| !value.is_empty());
    let (Some(client), Some(user)) = (get("client_id"), get("user")) else {
        return refused("client_id and user are needed.");
    };
    let client = desk.ledger.client(client).await?.filter(|client| !client.disabled);
    let Some(address) = client.as_ref().and_then(launch_address) else {
        return refused("client_id is no app that can be launched.");
    };
    if desk.ledger.user(user).await?.is_none_or(|user| user.disabled) {
        return refused("user is nobody who signs in here.");
    }
    if let Some(patient) = get("patient") {
        let patients = StorePatients { store: &desk.store, base: &desk.settings.base };
        if patients.find(user, Wanted::These(&[patient.to_owned()])).await?.is_empty() {
            return refused("patient is nobody whom that user may see.");
        }
    }
    let handle = token_of(&call.moment.random, "launch");
    let launch = Launch {
        client: client.map(|client| client.client_id).unwrap_or_default(),
        user: user.to_owned(),
        patient: get("patient").map(str::to_owned),
    };
    desk.ledger.launched(&hashed(&handle), &launch, call.moment.seconds() + LIFE).await?;
    let to = address.with(&[("iss", &desk.settings.base), ("launch", &handle)]);
    let reply = if wants_json {
        Reply::text(200, Class::Client, serde_json::json!({"launch_uri": to}).to_string())
    } else {
        pages::redirect(&to)
    };
    Ok((reply, None))
}

/// Where an app is launched: an address of its registration, as the ones that it is sent back to are.
fn launch_address(client: &Client) -> Option<VerifiedRedirect> {
    let uri = client.launch_uri.clone()?;
    VerifiedRedirect::of(&Client { redirect_uris: vec![uri.clone()], ..client.clone() }, &uri)
}

fn asked(call: &Call<'_>) -> Option<BTreeMap<String, String>> {
    let body = std::str::from_utf8(call.body.as_deref()?).ok()?;
    if is_form(call) {
        return Some(decode(body).ok()?.into_iter().collect());
    }
    serde_json::from_str(body).ok()
}
