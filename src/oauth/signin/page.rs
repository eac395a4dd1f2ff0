//! What the pages show. How they look is for `api` to say.

use super::patients::PatientCard;
use crate::oauth::auth_store::AppAccess;
use crate::smart::ScopeSet;

/// What every form carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormTokens {
    /// What it is about; nothing where it is not about a request.
    pub pending: Option<String>,
    /// The proof that this server showed it.
    pub csrf: String,
    /// The origin that it may lead to.
    pub leads_to: Option<String>,
}

/// A page of this server that the browser asks for next. A form is answered with it (RFC 9110, section 15.4.4), so that
/// neither going back nor reloading sends a form again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NextPage {
    /// The request that it is about; nothing where it is about what apps may do.
    pub pending: Option<String>,
    /// A further parameter of its address.
    pub parameter: Option<(&'static str, String)>,
}

impl NextPage {
    /// The same with a further parameter.
    #[must_use]
    pub fn with(self, name: &'static str, value: &str) -> Self {
        Self { parameter: Some((name, value.to_owned())), ..self }
    }
}

/// Why the sign-in is shown again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInFailure {
    /// Name and password do not belong together.
    Wrong,
    /// The EHR launched the app for somebody else.
    SomebodyElse,
}

impl SignInFailure {
    /// As the audit log and addresses name it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wrong => "wrong_password",
            Self::SomebodyElse => "somebody_else",
        }
    }

    /// The trouble of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Wrong, Self::SomebodyElse].into_iter().find(|trouble| trouble.name() == name)
    }
}

/// The sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInPage {
    /// What its form carries.
    pub marks: FormTokens,
    /// The app that asks.
    pub app: Option<String>,
    /// The name that stands in the form.
    pub name: String,
    /// What was wrong before.
    pub trouble: Option<SignInFailure>,
}

/// The choice of a patient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickPage {
    /// What its form carries.
    pub marks: FormTokens,
    /// The app that asks.
    pub app: String,
    /// Who is signed in.
    pub user: String,
    /// The patients to choose from.
    pub patients: Vec<PatientCard>,
    /// True if there are more of them.
    pub more: bool,
    /// The words that they were looked for with.
    pub words: String,
}

/// The question for consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentPage {
    /// What its form carries.
    pub marks: FormTokens,
    /// The app that asks.
    pub app: String,
    /// Who is signed in.
    pub user: String,
    /// Whose records it is about, where it is about one patient's.
    pub patient: Option<PatientCard>,
    /// True if the user chose that patient, and may choose another.
    pub is_chosen: bool,
    /// What is asked for.
    pub scopes: ScopeSet,
    /// Where the answer goes.
    pub redirect: String,
}

/// The question whether to sign out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignOutPage {
    /// What its form carries.
    pub marks: FormTokens,
    /// The app that asks, where it says which it is.
    pub app: Option<String>,
    /// Who is signed in.
    pub user: String,
    /// The request, which its form carries too.
    pub request: Vec<(&'static str, String)>,
}

/// What apps may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagePage {
    /// What its form carries.
    pub marks: FormTokens,
    /// Who is signed in.
    pub user: String,
    /// What each app may do.
    pub apps: Vec<AppAccess>,
    /// True if the access of one was just withdrawn.
    pub withdrawn: bool,
}
