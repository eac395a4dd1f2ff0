//! The content of the pages. `api` renders them.

use crate::auth_store::AppAccess;
use crate::health_link::HealthLink;
use crate::identity_provider::IdentityProvider;
use crate::patients::{EncounterCard, PatientCard};
use crate::resource::Resource;
use smart::ScopeSet;

/// The form field and address parameter with the name of the pending authorization. Addresses with it are published.
pub const PENDING_FIELD: &str = "interaction";
/// The address parameter with the name of a [`SignInFailure`].
pub const FAILURE_PARAMETER: &str = "trouble";

/// The form field with a part of a scope ([`smart::parts`]).
pub const PART_FIELD: &str = "part";

/// The form field that leaves out scopes, separated by spaces, even if they are ticked.
pub const OMIT_FIELD: &str = "omit";

/// Returns whether a scope only selects the patient or the encounter in context. The user cannot deny such a scope.
#[must_use]
pub fn is_context(written: &str) -> bool {
    matches!(written, "launch" | "launch/patient" | "launch/encounter")
}

/// The hidden fields of every form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormTokens {
    /// The name of the pending authorization, if the form belongs to one.
    pub pending: Option<String>,
    /// The CSRF token.
    pub csrf: String,
    /// The origin to which the form may lead (CSP, `form-action`).
    pub leads_to: Option<String>,
}

/// A page of this server to which a form redirects (RFC 9110, section 15.4.4), so that going back or reloading does not
/// send the form again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NextPage {
    /// The name of the pending authorization. `None` for the page with the access of apps.
    pub pending: Option<String>,
    /// An additional query parameter.
    pub parameter: Option<(&'static str, String)>,
}

impl NextPage {
    /// Sets the additional query parameter.
    #[must_use]
    pub fn with(self, name: &'static str, value: &str) -> Self {
        Self { parameter: Some((name, value.to_owned())), ..self }
    }
}

/// The reasons for showing the sign-in page again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInFailure {
    /// The name is unknown, or the password is wrong.
    Wrong,
    /// The EHR launched the app for another user.
    SomebodyElse,
    /// The account at the identity provider is not registered here.
    Unregistered,
    /// The identity provider did not sign the user in, or the user stopped there.
    ProviderRefused,
}

impl SignInFailure {
    /// Returns the name in the audit log and in addresses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wrong => "wrong_password",
            Self::SomebodyElse => "somebody_else",
            Self::Unregistered => "unregistered_identity",
            Self::ProviderRefused => "provider_refused",
        }
    }

    /// Returns the failure with that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Wrong, Self::SomebodyElse, Self::Unregistered, Self::ProviderRefused]
            .into_iter()
            .find(|failure| failure.name() == name)
    }
}

/// The content of the sign-in page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInPage {
    /// The hidden fields of its form.
    pub form_tokens: FormTokens,
    /// The display name of the app.
    pub app: Option<String>,
    /// The user name in the form.
    pub name: String,
    /// The reason why the page is shown again.
    pub failure: Option<SignInFailure>,
    /// The identity providers.
    pub providers: Vec<ProviderButton>,
    /// True if an identity provider must authenticate the user again.
    pub is_again: bool,
}

/// The button of an identity provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderButton {
    /// The issuer identifier.
    pub issuer: String,
    /// The name of the provider.
    pub name: String,
}

impl ProviderButton {
    /// Returns the button of a provider.
    pub fn of(provider: &IdentityProvider) -> Self {
        Self { issuer: provider.issuer().to_owned(), name: provider.name.clone() }
    }
}

/// The content of the patient selection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickPage {
    /// The hidden fields of its form.
    pub form_tokens: FormTokens,
    /// The display name of the app.
    pub app: String,
    /// The name of the signed-in user.
    pub user: String,
    /// The patients to select from.
    pub patients: Vec<PatientCard>,
    /// The reason why patients are missing ([`crate::FoundPatients::unread`]).
    pub unread: Option<String>,
    /// True if there are more patients.
    pub more: bool,
    /// The words of the search by name.
    pub words: String,
}

/// The content of the encounter selection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickEncounterPage {
    /// The hidden fields of its form.
    pub form_tokens: FormTokens,
    /// The display name of the app.
    pub app: String,
    /// The name of the signed-in user.
    pub user: String,
    /// The patient in context.
    pub patient: PatientCard,
    /// The encounters to select from, the newest first.
    pub encounters: Vec<EncounterCard>,
}

/// The content of the consent page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentPage {
    /// The hidden fields of its form.
    pub form_tokens: FormTokens,
    /// The display name of the app.
    pub app: String,
    /// The name of the signed-in user.
    pub user: String,
    /// The patient in context, if there is one.
    pub patient: Option<PatientCard>,
    /// True if the user selected that patient, and may select another.
    pub is_chosen: bool,
    /// The encounter in context, if there is one.
    pub encounter: Option<EncounterCard>,
    /// True if the user selected an encounter or none, and may select another.
    pub is_encounter_chosen: bool,
    /// The requested scopes.
    pub scopes: ScopeSet,
    /// The days for which a refresh token is valid.
    pub refresh_days: i64,
    /// The redirect address of the app.
    pub redirect: String,
    /// The resource that the app would read.
    pub resource: Resource,
    /// The name that the app gives itself, in a document that anybody can write.
    pub claimed_name: Option<String>,
}

/// The content of the page that confirms a sign-out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignOutPage {
    /// The hidden fields of its form.
    pub form_tokens: FormTokens,
    /// The display name of the app that makes the request, if known.
    pub app: Option<String>,
    /// The name of the signed-in user.
    pub user: String,
    /// The parameters of the request, which the form repeats.
    pub request: Vec<(&'static str, String)>,
}

/// The most patients who are named on the page with the access of apps. Others are shown by their ids.
pub const NAMED_PATIENTS: usize = 50;

/// The content of the page with the access of apps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagePage {
    /// The hidden fields of its form.
    pub form_tokens: FormTokens,
    /// The name of the signed-in user.
    pub user: String,
    /// The access of each app.
    pub apps: Vec<AppAccess>,
    /// The patients of these apps whom the user may see, for their names. At most `NAMED_PATIENTS` are read.
    pub patients: Vec<PatientCard>,
    /// True if the user has just withdrawn the access of an app, or ended a link.
    pub withdrawn: bool,
    /// The links by which the user shares records.
    pub links: Vec<HealthLink>,
}
