//! EHR launches (SMART App Launch, "Launch app: EHR launch"). An EHR requests a handle for an app, a user and
//! optionally a patient with more of its context, and opens the app with it. The app sends the handle to the
//! authorization endpoint, where that user signs in.
//!
//! The EHR is a backend client that is registered with the scope `launch`.

use super::access_token::UnverifiedToken;
use super::auth_store::{AuthStore, Launch};
use super::authorize::VerifiedRedirect;
use super::client::Client;
use super::client_kind::ClientKind;
use super::crypto::Crypto;
use super::documents::Fetch;
use super::error::{OAuthError, OAuthErrorCode};
use super::event::EventContext;
use super::grant_type::GrantType;
use super::guesses::Guard;
use super::launch_context::LaunchContext;
use super::patients::PatientDirectory;
use super::secret::{hashed, token_of};
use super::service::TokenService;

/// The life of a launch, in seconds.
const LIFE: i64 = 300;
/// The longest `intent`, in bytes. It is stored in the row of each grant.
const MAX_INTENT_LENGTH: usize = 256;

/// A request to launch an app. An empty member counts as absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LaunchRequest {
    /// The `client_id` of the app.
    pub client_id: Option<String>,
    /// The name of the user who works in the EHR.
    pub user: Option<String>,
    /// The id of the patient whose chart is open in the EHR.
    pub patient: Option<String>,
    /// The id of the encounter that is open in the EHR. It belongs to the patient.
    pub encounter: Option<String>,
    /// The `intent`: what the app is to do, by agreement of the app and the EHR.
    pub intent: Option<String>,
    /// False if the EHR shows the patient's identity. `None` counts as true.
    pub need_patient_banner: Option<bool>,
}

/// The response to a launch request.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LaunchResponse {
    /// The value of the parameter `launch`.
    pub launch: String,
    /// The address to open in the user's browser, if the app registered one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launch_uri: Option<String>,
    /// The life of the launch, in seconds.
    pub expires_in: i64,
    /// The app, the user and the patient, for the audit log.
    #[serde(skip)]
    pub about: EventContext,
}

impl Client {
    /// Returns whether an EHR may launch the app: it may use authorization codes, and has the scope `launch`.
    #[must_use]
    pub fn is_launchable(&self) -> bool {
        !self.disabled && self.may(GrantType::AuthorizationCode) && self.approved().has("launch")
    }

    /// Returns whether the client may launch apps: it is a backend client that is approved for the scope `launch`.
    #[must_use]
    pub fn may_launch(&self) -> bool {
        !self.disabled && self.kind == ClientKind::Backend && self.approved().has("launch")
    }

    /// Returns the address at which an EHR launches the app. It passes the same checks as a redirect address.
    pub fn launch_address(&self) -> Option<VerifiedRedirect> {
        VerifiedRedirect::of(self.launch_uri.as_slice(), self.launch_uri.as_deref()?)
    }
}

/// Prepares a launch: stores it, and returns its parameters for the app. `audience` is the FHIR base.
///
/// # Errors
/// If there is no such app or user, the user may not see the patient or the encounter, the encounter does not belong to
/// the patient, the intent is not a short line, or the storage does not answer.
pub async fn prepare_launch<L: AuthStore, P: PatientDirectory>(
    auth_store: &L,
    patients: &P,
    request: &LaunchRequest,
    audience: &str,
    (now, random): (i64, &[u8; 32]),
) -> Result<LaunchResponse, OAuthError> {
    let refused = |why| Err(OAuthError::new(OAuthErrorCode::InvalidRequest, why));
    let LaunchRequest { client_id, user, patient, encounter, intent, need_patient_banner } = request;
    let given = |member: &Option<String>| member.clone().filter(|text| !text.is_empty());
    let (Some(client_id), Some(user), patient) = (given(client_id), given(user), given(patient)) else {
        return refused("client_id and user are needed");
    };
    let (encounter, intent) = (given(encounter), given(intent));
    if intent.as_ref().is_some_and(|intent| intent.len() > MAX_INTENT_LENGTH || intent.contains(char::is_control)) {
        return refused("intent is longer than 256 bytes, or not one line");
    }
    let Some(client) = auth_store.client(&client_id).await?.filter(Client::is_launchable) else {
        return refused("client_id is no app that can be launched");
    };
    if auth_store.user(&user).await?.is_none_or(|user| user.disabled) {
        return refused("user is nobody who signs in here");
    }
    if let Some(patient) = &patient
        && patients.find_one(&user, patient).await?.is_none()
    {
        return refused("patient is nobody whom that user may see");
    }
    if let Some(encounter) = &encounter {
        let Some(patient) = &patient else { return refused("encounter needs the patient whose it is") };
        if patients.find_encounter(&user, patient, encounter).await?.is_none() {
            return refused("encounter is none of that patient which that user may see");
        }
    }
    let context = LaunchContext { encounter, intent, has_banner: *need_patient_banner == Some(false) };
    let handle = token_of(random, "launch");
    let launch_uri = client.launch_address().map(|to| to.with(&[("iss", audience), ("launch", &handle)]));
    let about = EventContext {
        launched: Some(client_id.clone()),
        user: Some(user.clone()),
        patient: patient.clone(),
        ..EventContext::default()
    };
    let launch = Launch { client: client_id, user, patient, context };
    auth_store.store_launch(&hashed(&handle), &launch, now + LIFE).await?;
    Ok(LaunchResponse { launch: handle, launch_uri, expires_in: LIFE, about })
}

impl<L: AuthStore + Guard, C: Crypto + Fetch> TokenService<'_, L, C> {
    /// Authenticates a client that may launch apps and acts for itself, by its bearer token (RFC 6750).
    ///
    /// # Errors
    /// If the token is not of such a client, or the storage does not answer.
    pub async fn launcher(&self, authorization: Option<&str>) -> Result<Client, OAuthError> {
        use OAuthErrorCode::{InsufficientScope, InvalidToken};
        let invalid = OAuthError::new(InvalidToken, "the access token is missing, not known, or has ended");
        let bearer = authorization.and_then(|header| header.split_once(' '));
        let bearer = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let (_, token) = bearer.ok_or_else(|| invalid.clone())?;
        let verified =
            UnverifiedToken::new(token).verify((self.keys, self.crypto), self.now, self.issuer, self.audience).await;
        let verified = verified.map_err(|_| invalid.clone())?;
        let grant_id = verified.claims().grant_id.as_deref().ok_or_else(|| invalid.clone())?;
        let grant = self.auth_store.active_grant(grant_id, self.now).await?.ok_or(invalid)?;
        // Tokens of a launched app also have that scope, but they act for a user.
        let is_own = grant.subject.is_none() && verified.grant().scopes.has("launch");
        let client = self.auth_store.client(&grant.client).await?;
        let refused =
            OAuthError::new(InsufficientScope, "the token is not one of a backend client with the scope launch");
        client.filter(|client| is_own && client.may_launch()).ok_or(refused)
    }
}
