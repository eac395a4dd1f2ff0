//! The checks of an authorization request, in order. An error before the verification of the redirect address is a page
//! for the user; a later one is an error response.

use super::SignIn;
use crate::agents::{AGENT_SCOPE, described, known_client};
use crate::auth_store::AuthStore;
use crate::authorize::{AuthorizationRequest, Denial, Refusal, UI_LOCALES, VerifiedRedirect, is_challenge};
use crate::client::{Client, is_for_users, registered_scopes};
use crate::client_kind::ClientKind;
use crate::documents::Fetch;
use crate::form_fields::FormFields;
use crate::grant_type::GrantType;
use crate::launch_context::LaunchContext;
use crate::request_fault::RequestFault;
use crate::resource::Resource;
use crate::secret::hashed;
use fhir::Language;
use smart::{Level, Scope, ScopeSet};

/// The maximum length of `state` and `nonce`, in bytes.
const MAX_STATE_LENGTH: usize = 2_048;
/// The maximum length of `login_hint`, in bytes. It is that of the name in the form.
const MAX_HINT_LENGTH: usize = 256;
/// The maximum length of a stored request, in bytes of JSON. Anybody can cause one to be stored without signing in.
const MAX_STORED_LENGTH: usize = 8_192;

/// The checks whose errors can be sent to the app, because its redirect address has been verified.
struct RequestChecks<'a> {
    parameters: FormFields<'a>,
    client: Client,
    redirect: VerifiedRedirect,
}

impl<L: AuthStore, C: Fetch, P> SignIn<'_, L, C, P> {
    /// Checks a request, in this order: `client_id`, `redirect_uri`; then `response_type`, `aud` and `resource`,
    /// `state`, `scope`, PKCE, `prompt`, `nonce` and `launch`.
    ///
    /// # Errors
    /// The first check that fails.
    pub(crate) async fn check_request(
        &self,
        form: &[(String, String)],
    ) -> Result<(Client, VerifiedRedirect, AuthorizationRequest), Refusal> {
        let parameters = FormFields(form);
        let client = self.find_client(parameters).await?;
        let redirect = verify_redirect(&client, parameters)?;
        let checks = RequestChecks { parameters, client, redirect };
        if parameters.has_twice() {
            return Err(checks.invalid("a parameter is there twice"));
        }
        checks.check_response()?;
        let resource = checks.read_resource(self.agents.is_some(), self.issuer, self.audience)?;
        if checks.client.is_described() && resource.is_fhir() {
            return Err(checks.denial("invalid_target", "a client without a registration reads through /mcp"));
        }
        let state = checks.read_state()?;
        let scopes = checks.read_scopes(resource)?;
        let challenge = checks.read_challenge()?;
        let prompt = checks.read_prompt()?;
        let nonce = checks.read_nonce()?;
        let mut request = AuthorizationRequest {
            client_id: checks.client.client_id.clone(),
            redirect_uri: checks.redirect.as_str().to_owned(),
            client_name: checks.client.is_described().then(|| checks.client.name.clone()),
            resource,
            state,
            scope: checks.stored(&scopes),
            challenge,
            nonce,
            prompt,
            hint: checks.read_hint(),
            max_age: checks.read_max_age()?,
            ..AuthorizationRequest::default()
        };
        let context = checks.read_launch(self.auth_store, &scopes, &mut request, self.now).await?;
        if serde_json::to_string(&request).is_ok_and(|text| text.len() > MAX_STORED_LENGTH) {
            let text = "the request is too long: state, nonce, scope and redirect_uri are 8 KiB at most";
            return Err(checks.invalid(text));
        }
        // This comes after the check of the length, since neither the EHR's context nor `ui_locales` may cause a
        // refusal.
        request.context = context;
        request.language = checks.parameters.get(UI_LOCALES).and_then(Language::first);
        Ok((checks.client, checks.redirect, request))
    }

    async fn find_client(&self, parameters: FormFields<'_>) -> Result<Client, Refusal> {
        if parameters.is_twice("client_id") {
            return Err(Refusal::Page(RequestFault::TwoClients));
        }
        let id = parameters.get("client_id").ok_or(Refusal::Page(RequestFault::NoClient))?;
        let client = known_client(self.auth_store, self.agents, self.issuer, id).await.map_err(Refusal::Broken)?;
        let client = client.ok_or(Refusal::Page(RequestFault::UnknownClient))?;
        if !client.is_described() {
            return Ok(client);
        }
        let described = described(client, self.crypto, self.documents, self.now).await;
        described.map_err(|_| Refusal::Page(RequestFault::ClientDocument))
    }
}

fn verify_redirect(client: &Client, parameters: FormFields<'_>) -> Result<VerifiedRedirect, Refusal> {
    if parameters.is_twice("redirect_uri") {
        return Err(Refusal::Page(RequestFault::TwoRedirects));
    }
    let uri = parameters.get("redirect_uri");
    let uri = uri.ok_or(Refusal::Page(RequestFault::NoRedirect))?;
    let redirect = VerifiedRedirect::among(&client.redirect_uris, uri, client.is_described());
    redirect.ok_or(Refusal::Page(RequestFault::UnknownRedirect))
}

impl RequestChecks<'_> {
    fn denial(&self, code: &'static str, description: &'static str) -> Refusal {
        let state = self.parameters.get("state").filter(|_| !self.parameters.is_twice("state"));
        let state = state.filter(|state| state.len() <= MAX_STATE_LENGTH).map(str::to_owned);
        Refusal::Redirect(Denial { redirect: self.redirect.clone(), state, code, description })
    }

    fn invalid(&self, description: &'static str) -> Refusal {
        self.denial("invalid_request", description)
    }

    fn check_response(&self) -> Result<(), Refusal> {
        if self.parameters.get("request").is_some() {
            return Err(self.denial("request_not_supported", "request objects are not supported"));
        }
        if self.parameters.get("request_uri").is_some() {
            return Err(self.denial("request_uri_not_supported", "request objects are not supported"));
        }
        match self.parameters.get("response_type") {
            Some("code") => {}
            Some(_) => return Err(self.denial("unsupported_response_type", "the only response_type is code")),
            None => return Err(self.invalid("response_type is missing")),
        }
        if self.parameters.get("response_mode").is_some_and(|mode| mode != "query") {
            return Err(self.invalid("the only response_mode is query"));
        }
        if self.client.may(GrantType::AuthorizationCode) {
            Ok(())
        } else {
            Err(self.denial("unauthorized_client", "the client is not registered for authorization codes"))
        }
    }

    /// Returns the resource that the app means, by `aud` (SMART App Launch) or `resource` (RFC 8707), which must agree.
    /// It must be of this server. Otherwise the app might send our token to another one. A trailing slash makes no
    /// difference.
    fn read_resource(&self, with_agents: bool, issuer: &str, base: &str) -> Result<Resource, Refusal> {
        let ours = |given: &str| Resource::named(given, issuer, base).filter(|one| with_agents || one.is_fhir());
        let [aud, resource] = ["aud", "resource"].map(|name| self.parameters.get(name));
        match (aud, aud.and_then(ours), resource, resource.and_then(ours)) {
            (None, _, None, _) => Err(self.invalid("aud is missing")),
            (_, _, Some(_), None) => Err(self.denial("invalid_target", "resource is not of this server")),
            (Some(aud), Some(of_aud), None, _) if aud.trim_end_matches('/') != issuer => Ok(of_aud),
            (Some(_), of_aud, Some(_), Some(resource)) if of_aud != Some(resource) => {
                Err(self.denial("invalid_target", "aud and resource are not the same"))
            }
            (_, _, Some(_), Some(resource)) => Ok(resource),
            (Some(_), ..) => Err(self.invalid("aud is not the address of this FHIR server")),
        }
    }

    fn read_state(&self) -> Result<String, Refusal> {
        let state = self.parameters.get("state").ok_or_else(|| self.invalid("state is missing"))?;
        if state.len() > MAX_STATE_LENGTH {
            return Err(self.invalid("state is too long"));
        }
        Ok(state.to_owned())
    }

    /// Parses the requested scopes. The client gets those that it may have. The default are the registered scopes (RFC
    /// 6749, section 3.3) or, for `/mcp`, those for the records of a patient.
    fn read_scopes(&self, resource: Resource) -> Result<ScopeSet, Refusal> {
        let requested = self.parameters.get("scope");
        // The default scopes do not request a launch if there is none.
        let is_launched = requested.is_some() || self.parameters.get("launch").is_some();
        let may = |written: &str, scope: &Scope| is_for_users(scope) && (is_launched || written != "launch");
        if requested.is_none() && resource == Resource::Mcp {
            let of_patient = |_: &str, scope: &Scope| scope.resources().is_some_and(|one| one.level == Level::Patient);
            let granted = self.client.grantable(Some(AGENT_SCOPE), of_patient);
            let granted = granted.or_else(|_| self.client.grantable(None, of_patient));
            return granted.map_err(|why| self.denial("invalid_scope", why));
        }
        self.client.grantable(requested, may).map_err(|why| self.denial("invalid_scope", why))
    }

    /// Returns the stored form of the scopes, which is empty if they are the registered ones.
    fn stored(&self, scopes: &ScopeSet) -> String {
        let registered = registered_scopes(&self.client, self.parameters.get("launch").is_some());
        if *scopes == registered { String::new() } else { scopes.to_string() }
    }

    fn read_challenge(&self) -> Result<Option<String>, Refusal> {
        match (self.parameters.get("code_challenge"), self.parameters.get("code_challenge_method")) {
            (Some(challenge), Some("S256")) if is_challenge(challenge) => Ok(Some(challenge.to_owned())),
            (Some(_), Some("S256")) => Err(self.invalid("code_challenge is no S256 challenge")),
            (Some(_), _) => Err(self.invalid("the only code_challenge_method is S256")),
            (None, Some(_)) => Err(self.invalid("code_challenge is missing")),
            (None, None) if self.client.kind == ClientKind::Public => {
                Err(self.invalid("a public client needs PKCE: code_challenge is missing"))
            }
            (None, None) => Ok(None),
        }
    }

    fn read_prompt(&self) -> Result<String, Refusal> {
        let prompt = self.parameters.get("prompt").unwrap_or_default();
        let words: Vec<_> = prompt.split(' ').filter(|word| !word.is_empty()).collect();
        if words.len() > 1 && words.contains(&"none") {
            return Err(self.invalid("prompt is none and something else"));
        }
        if !words.iter().all(|word| matches!(*word, "none" | "login" | "consent" | "select_account")) {
            return Err(self.invalid("prompt is none of none, login, consent, select_account"));
        }
        Ok(words.join(" ").replace("select_account", "login"))
    }

    fn read_max_age(&self) -> Result<Option<i64>, Refusal> {
        let Some(text) = self.parameters.get("max_age") else { return Ok(None) };
        let seconds = text.parse().ok().filter(|seconds| *seconds >= 0);
        seconds.map(Some).ok_or_else(|| self.invalid("max_age is no number of seconds"))
    }

    /// Parses `login_hint`. A malformed hint is dropped and never an error (OpenID Connect Core 1.0, section 3.1.2.1).
    fn read_hint(&self) -> Option<String> {
        let is_name = |hint: &&str| hint.len() <= MAX_HINT_LENGTH && !hint.contains(char::is_control);
        self.parameters.get("login_hint").filter(is_name).map(str::to_owned)
    }

    fn read_nonce(&self) -> Result<Option<String>, Refusal> {
        let nonce = self.parameters.get("nonce");
        if nonce.is_some_and(|nonce| nonce.len() > MAX_STATE_LENGTH) {
            return Err(self.invalid("nonce is too long"));
        }
        Ok(nonce.map(str::to_owned))
    }

    /// Reads the launch. Its app, user and patient are stored in the request; the rest of its context is returned.
    async fn read_launch<L: AuthStore>(
        &self,
        auth_store: &L,
        scopes: &ScopeSet,
        request: &mut AuthorizationRequest,
        now: i64,
    ) -> Result<LaunchContext, Refusal> {
        let Some(handle) = self.parameters.get("launch") else {
            return if scopes.has("launch") {
                Err(self.invalid("the scope launch is for launches by an EHR, and launch is missing"))
            } else {
                Ok(LaunchContext::default())
            };
        };
        let id = hashed(handle);
        let launch = auth_store.launch(&id, now).await.map_err(Refusal::Broken)?;
        let launch = launch.filter(|launch| launch.client == self.client.client_id);
        let launch = launch.ok_or_else(|| self.invalid("launch is not known, or has ended"))?;
        request.launch = Some(id);
        request.user = Some(launch.user);
        request.patient = launch.patient;
        Ok(launch.context)
    }
}
