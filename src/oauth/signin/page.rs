//! What the pages show. How they look is for `api` to say.

use super::patients::PatientCard;
use crate::oauth::ledger::GrantRow;
use crate::smart::ScopeSet;

/// What every form carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marks {
    /// What it is about; nothing where it is not about a request.
    pub interaction: Option<String>,
    /// The proof that this server showed it.
    pub csrf: String,
    /// The origin that it may lead to.
    pub leads_to: Option<String>,
}

/// Why the sign-in is shown again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// Name and password do not belong together.
    Wrong,
    /// The EHR launched the app for somebody else.
    SomebodyElse,
}

impl Trouble {
    /// As the audit log names it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wrong => "wrong_password",
            Self::SomebodyElse => "somebody_else",
        }
    }
}

/// The sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInPage {
    /// What its form carries.
    pub marks: Marks,
    /// The app that asks.
    pub app: Option<String>,
    /// The name that stands in the form.
    pub name: String,
    /// What was wrong before.
    pub trouble: Option<Trouble>,
}

/// The choice of a patient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickPage {
    /// What its form carries.
    pub marks: Marks,
    /// The app that asks.
    pub app: String,
    /// Who is signed in.
    pub user: String,
    /// The patients to choose from.
    pub patients: Vec<PatientCard>,
    /// Whether there are more of them.
    pub more: bool,
    /// The words that they were looked for with.
    pub words: String,
}

/// The question for consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentPage {
    /// What its form carries.
    pub marks: Marks,
    /// The app that asks.
    pub app: String,
    /// Who is signed in.
    pub user: String,
    /// Whose records it is about, where it is about one patient's.
    pub patient: Option<PatientCard>,
    /// What is asked for.
    pub scopes: ScopeSet,
    /// Where the answer goes.
    pub redirect: String,
}

/// What apps may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagePage {
    /// What its form carries.
    pub marks: Marks,
    /// Who is signed in.
    pub user: String,
    /// Each authorization that stands, with the name of its app.
    pub grants: Vec<(String, GrantRow)>,
    /// Whether one was just withdrawn.
    pub withdrawn: bool,
}
