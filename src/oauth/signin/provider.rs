//! Signing in at an identity provider (OpenID Connect Core 1.0, section 3.1).

use super::page::{FAILURE_PARAMETER, NextPage, PENDING_FIELD, SignInFailure};
use super::{Screen, SignIn, SignInError, Step, VerifiedRequest};
use crate::auth_store::{AuthStore, SignInAttempt};
use crate::authorize::AuthorizationRequest;
use crate::crypto::Crypto;
use crate::documents::{Fetch, FetchError};
use crate::event::{Event, EventContext};
use crate::form_fields::FormFields;
use crate::identity_provider::{AuthenticationRequest, Bindings, IdentityProvider, ProviderFault};
use crate::patients::PatientDirectory;
use crate::request_fault::RequestFault;
use crate::secret::{hashed, token_of};

/// The time for a sign-in at a provider, in seconds. It is the life of a pending authorization.
const ATTEMPT_LIFE: i64 = super::PENDING_LIFE;
/// The length of the random part of a `state`. It is followed by the name of the pending authorization.
const RANDOM: usize = 43;
/// The name of these sign-ins in the audit log.
const LOGIN: &str = "login-provider";
/// The path to which a provider sends the browser back.
const CALLBACK: &str = "/oauth/callback";

impl<L: AuthStore, C: Crypto + Fetch, P: PatientDirectory> SignIn<'_, L, C, P> {
    /// Sends the browser to an identity provider.
    ///
    /// # Errors
    /// If this browser has no such pending authorization, the provider does not answer, or the storage does not answer.
    pub async fn begin_at_provider(&self, fields: FormFields<'_>) -> Result<Step, SignInError> {
        let wanted = fields.get("provider");
        let provider = self.providers.iter().find(|provider| wanted == Some(provider.issuer()));
        let provider = provider.ok_or(SignInError::Page(RequestFault::UnknownProvider))?;
        let visit = self.user_agent.visit.as_deref().ok_or(SignInError::Gone)?;
        let name = fields.get(PENDING_FIELD);
        let verified = self.find_named(name, visit).await?;
        let next = verified.as_ref().map(VerifiedRequest::next).unwrap_or_default();
        let requires_prompt = |request: &AuthorizationRequest| request.prompts("login") || request.max_age.is_some();
        let prompted = verified.as_ref().is_some_and(|verified| requires_prompt(verified.request()));
        let fresh = prompted || fields.get("again").is_some();
        let state = format!("{}{}", token_of(self.random, "provider state"), name.unwrap_or_default());
        let (redirect, bindings) = (self.callback(), Bindings::of(self.pepper, &state));
        let platform = (self.crypto, self.documents);
        let request =
            AuthenticationRequest { state: &state, redirect: &redirect, fresh, language: self.language.get() };
        let address = provider.authorization_address(platform, request, &bindings, self.now).await;
        let address = address.map_err(|FetchError(why)| unanswered(provider, &why, next))?;
        let attempt = SignInAttempt {
            id: hashed(&state),
            issuer: provider.issuer().to_owned(),
            visit: hashed(visit),
            fresh,
            began_at: self.now,
        };
        self.auth_store.begin_attempt(&attempt, self.now + ATTEMPT_LIFE).await?;
        Ok(Screen::Leave(address).into())
    }

    /// Handles the answer of an identity provider. An account that is not registered changes nothing.
    ///
    /// # Errors
    /// If the answer does not belong to a sign-in of this browser, the provider gives an invalid answer, or the storage
    /// does not answer.
    pub async fn return_from_provider(&self, fields: FormFields<'_>) -> Result<Step, SignInError> {
        if ["state", "code", "iss", "error"].iter().any(|name| fields.is_twice(name)) {
            return Err(SignInError::Page(RequestFault::DoubledAnswer));
        }
        let visit = self.user_agent.visit.as_deref().ok_or(SignInError::Gone)?;
        let state = fields.get("state").ok_or(SignInError::Gone)?;
        let attempt = self.auth_store.take_attempt(&hashed(state), self.now).await?.ok_or(SignInError::Gone)?;
        if attempt.visit != hashed(visit) {
            return Err(SignInError::Forged);
        }
        let issuer = attempt.issuer.as_str();
        let provider = self.providers.iter().find(|provider| provider.issuer() == issuer).ok_or(SignInError::Gone)?;
        let name = state.get(RANDOM..).filter(|name| !name.is_empty());
        let verified = self.find_named(name, visit).await?;
        let next = verified.as_ref().map(VerifiedRequest::next).unwrap_or_default();
        let platform = (self.crypto, self.documents);
        let sent = provider.may_have_sent(platform, fields.get("iss"), self.now).await;
        if !sent.map_err(|FetchError(why)| unanswered(provider, &why, next.clone()))? {
            return Err(SignInError::Page(RequestFault::OtherProvider));
        }
        let client = verified.as_ref().map(|verified| verified.client.client_id.clone());
        let event_context = EventContext { client, ..EventContext::default() };
        let again = |failure: SignInFailure, event_context| Step {
            screen: Screen::Show(next.clone().with(FAILURE_PARAMETER, failure.name())),
            cookie: None,
            events: vec![Event::failed(LOGIN, event_context, failure.name())],
        };
        if fields.get("error").is_some() {
            return Ok(again(SignInFailure::ProviderRefused, event_context));
        }
        let code = fields.get("code").ok_or(SignInError::Page(RequestFault::NoProviderCode))?;
        let (redirect, bindings) = (self.callback(), Bindings::of(self.pepper, state));
        let began = attempt.fresh.then_some(attempt.began_at);
        let subject = provider.fetch_subject(platform, (code, &redirect), &bindings, began, self.now).await;
        let subject = subject.map_err(|fault| match fault {
            ProviderFault::Provider(detail) => SignInError::Provider { detail, next: next.clone() },
            ProviderFault::Token(why) => unanswered(provider, why, next.clone()),
        })?;
        let user = self.auth_store.user_of_identity(issuer, &subject).await?.filter(|user| !user.disabled);
        let Some(user) = user else {
            let unknown = self.pepper.pseudonym("identity", &format!("{issuer}\n{subject}"));
            return Ok(again(
                SignInFailure::Unregistered,
                EventContext { unknown_user: Some(unknown), ..event_context },
            ));
        };
        self.begin_session(verified.as_ref(), &user, (LOGIN, attempt.fresh)).await
    }

    /// Returns the pending authorization with that name, if there is a name.
    async fn find_named(&self, name: Option<&str>, visit: &str) -> Result<Option<VerifiedRequest>, SignInError> {
        match name {
            Some(name) => Ok(Some(self.find_request(name, visit).await?.0)),
            None => Ok(None),
        }
    }

    /// Returns the address to which a provider sends the browser back.
    fn callback(&self) -> String {
        format!("{}{CALLBACK}", self.issuer)
    }
}

fn unanswered(provider: &IdentityProvider, why: &str, next: NextPage) -> SignInError {
    SignInError::Provider { detail: format!("{}: {why}", provider.issuer()), next }
}
