//! The sign-out of a user by an app (OpenID Connect RP-Initiated Logout 1.0).
//!
//! An identity token of the current session signs out at once. Without it, any site could send a browser here, so the
//! user is asked. A browser is only sent to an address that the app registered for this purpose.

use super::page::SignOutPage;
use super::{Cookie, FormTokens, Screen, SignIn, SignInError, Step, csrf_token};
use crate::auth_store::AuthStore;
use crate::authorize::{UI_LOCALES, VerifiedRedirect, with_parameters};
use crate::client::Client;
use crate::crypto::Crypto;
use crate::event::{Event, EventContext};
use crate::form_fields::FormFields;
use crate::jws::Jws;
use crate::jwt_policy::ID_TOKEN;
use crate::key_set::KeySet;
use crate::patients::PatientDirectory;
use crate::request_fault::RequestFault;

/// The path of this endpoint.
const OWN: &str = "/oauth/logout";
/// The purpose of the confirmation form.
const SIGN_OUT: &str = "sign-out";
/// The supported parameters (section 2), besides `ui_locales`. Others, such as `logout_hint`, are ignored.
const PARAMETERS: [&str; 4] = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"];
/// The maximum length of a parameter, in bytes. An identity token with the longest nonce is shorter.
const MAX_LENGTH: usize = 6 * 1024;

/// The claims of an `id_token_hint` that this server issued. The token may have expired (section 2).
pub(super) struct Hint {
    client: String,
    pub(super) user: String,
    session: String,
}

impl<L: AuthStore, C: Crypto, P: PatientDirectory> SignIn<'_, L, C, P> {
    /// Answers a sign-out request, or its confirmation form. `posted` is true for a POST.
    ///
    /// # Errors
    /// If the request is contradictory, its address is not registered, the form is not ours, or the storage does not
    /// answer.
    pub async fn sign_out(&self, fields: FormFields<'_>, posted: bool) -> Result<Step, SignInError> {
        let mut request = Vec::new();
        for name in PARAMETERS {
            if fields.is_twice(name) || fields.get(name).is_some_and(|value| value.len() > MAX_LENGTH) {
                return Err(SignInError::Page(RequestFault::DoubledSignOut));
            }
            request.extend(fields.get(name).map(|value| (name, value)));
        }
        let language = self.language.get().map(|language| (UI_LOCALES, language.tag()));
        let hint = self.read_hint(fields).await?;
        let (client, target) = self.check_target(fields, hint.as_ref()).await?;
        let confirmed = posted && fields.get("csrf").is_some();
        if posted && !confirmed && self.user_agent.session.is_none() {
            // A browser omits the session cookie in a POST from another site (`SameSite=Lax`), and sends it when it
            // follows a redirect of this site.
            request.extend(language);
            return Ok(Screen::Leave(with_parameters(OWN, &request)).into());
        }
        let state: Vec<_> = fields.get("state").map(|state| ("state", state)).into_iter().collect();
        let done = match &target {
            Some(target) => Screen::Leave(target.with(&state)),
            None if posted => Screen::Leave(with_parameters(OWN, language.as_slice())),
            None => Screen::SignedOut,
        };
        let Some(session) = self.find_session().await? else { return Ok(done.into()) };
        if confirmed {
            self.check_form(fields, SIGN_OUT)?;
        } else if hint.is_none_or(|hint| (hint.user, hint.session) != (session.user.clone(), session.id.clone())) {
            let (visit, cookie) = self.ensure_visit();
            let leads_to = target.as_ref().map(VerifiedRedirect::origin);
            let form_tokens = FormTokens { pending: None, csrf: csrf_token(&visit, SIGN_OUT), leads_to };
            let app = client.map(|client| client.title().to_owned());
            let request = request.into_iter().map(|(name, value)| (name, value.to_owned())).collect();
            let screen = Screen::SignOut(SignOutPage { form_tokens, app, user: session.user, request });
            return Ok(Step { screen, cookie, events: Vec::new() });
        }
        self.auth_store.close_session(&session.id).await?;
        let event_context = EventContext {
            client: client.map(|client| client.client_id),
            user: Some(session.user),
            ..EventContext::default()
        };
        Ok(Step { screen: done, cookie: Some(Cookie::SignedOut), events: vec![Event::done("sign-out", event_context)] })
    }

    /// Returns the app that makes the request, if known, and the address to which the browser is sent afterwards.
    async fn check_target(
        &self,
        fields: FormFields<'_>,
        hint: Option<&Hint>,
    ) -> Result<(Option<Client>, Option<VerifiedRedirect>), SignInError> {
        let named = fields.get("client_id");
        let issued_to = hint.map(|hint| hint.client.as_str());
        if named.zip(issued_to).is_some_and(|(named, issued_to)| named != issued_to) {
            return Err(SignInError::Page(RequestFault::OtherToken));
        }
        let client = match named.or(issued_to) {
            Some(id) => self.auth_store.client(id).await?.filter(|client| !client.disabled),
            None => None,
        };
        let Some(uri) = fields.get("post_logout_redirect_uri") else { return Ok((client, None)) };
        let registered = client.as_ref().map_or(&[][..], |client| &client.post_logout_redirect_uris);
        let target = VerifiedRedirect::of(registered, uri).ok_or(SignInError::Page(RequestFault::UnknownReturn))?;
        Ok((client, Some(target)))
    }

    /// Parses the identity token of the request, if this server signed it.
    pub(super) async fn read_hint(&self, fields: FormFields<'_>) -> Result<Option<Hint>, SignInError> {
        let Some(text) = fields.get("id_token_hint") else { return Ok(None) };
        let Ok(jws) = Jws::read(text, &ID_TOKEN) else { return Ok(None) };
        let key = KeySet::of(&self.keys.jwks()).and_then(|keys| keys.key(&jws.kid, jws.algorithm));
        let Some(key) = key else { return Ok(None) };
        if !self.crypto.verify(jws.algorithm, &key, jws.data.as_bytes(), &jws.signature).await? {
            return Ok(None);
        }
        let claim = |name| jws.claims.text(name).flatten().map(str::to_owned);
        if claim("iss").as_deref() != Some(self.issuer) {
            return Ok(None);
        }
        let claims = claim("aud").zip(claim("sub")).zip(claim("sid"));
        Ok(claims.map(|((client, user), session)| Hint { client, user, session }))
    }
}
