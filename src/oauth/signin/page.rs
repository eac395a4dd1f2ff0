//! The content of the pages. `api` renders them.

use super::patients::PatientCard;
use crate::oauth::auth_store::AppAccess;
use crate::smart::ScopeSet;

/// The form field and address parameter with the name of the pending authorization. Addresses with it are published.
pub const PENDING_FIELD: &str = "interaction";
/// The address parameter with the name of a [`SignInFailure`].
pub const FAILURE_PARAMETER: &str = "trouble";

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
    /// The name of the pending authorization. Absent for the page with the access of apps.
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

/// The reasons to show the sign-in page again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInFailure {
    /// The name is unknown, or the password is wrong.
    Wrong,
    /// The EHR launched the app for another user.
    SomebodyElse,
}

impl SignInFailure {
    /// Returns its name in the audit log and in addresses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wrong => "wrong_password",
            Self::SomebodyElse => "somebody_else",
        }
    }

    /// Returns the failure with that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Wrong, Self::SomebodyElse].into_iter().find(|failure| failure.name() == name)
    }
}

/// The content of the sign-in page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInPage {
    /// The hidden fields of its form.
    pub marks: FormTokens,
    /// The display name of the app.
    pub app: Option<String>,
    /// The user name in the form.
    pub name: String,
    /// The reason why the page is shown again.
    pub trouble: Option<SignInFailure>,
}

/// The content of the patient selection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickPage {
    /// The hidden fields of its form.
    pub marks: FormTokens,
    /// The display name of the app.
    pub app: String,
    /// The name of the signed-in user.
    pub user: String,
    /// The patients to select from.
    pub patients: Vec<PatientCard>,
    /// True if there are more patients.
    pub more: bool,
    /// The words of the search by name.
    pub words: String,
}

/// The content of the consent page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentPage {
    /// The hidden fields of its form.
    pub marks: FormTokens,
    /// The display name of the app.
    pub app: String,
    /// The name of the signed-in user.
    pub user: String,
    /// The patient in context, if there is one.
    pub patient: Option<PatientCard>,
    /// True if the user selected that patient, and may select another.
    pub is_chosen: bool,
    /// The requested scopes.
    pub scopes: ScopeSet,
    /// The redirect address of the app.
    pub redirect: String,
}

/// The content of the page that confirms a sign-out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignOutPage {
    /// The hidden fields of its form.
    pub marks: FormTokens,
    /// The display name of the app that asks, if known.
    pub app: Option<String>,
    /// The name of the signed-in user.
    pub user: String,
    /// The parameters of the request, which its form repeats.
    pub request: Vec<(&'static str, String)>,
}

/// The content of the page with the access of apps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagePage {
    /// The hidden fields of its form.
    pub marks: FormTokens,
    /// The name of the signed-in user.
    pub user: String,
    /// The access of each app.
    pub apps: Vec<AppAccess>,
    /// True if the user has just withdrawn the access of an app.
    pub withdrawn: bool,
}
