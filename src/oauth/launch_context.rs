//! The context of a launch.

use serde::Serialize;

/// The context of a launch, besides the patient (SMART App Launch, "Launch context arrives with your access_token").
/// Only an EHR, or a choice of the user, sets it. No parameter of an app does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LaunchContext {
    /// The id of the encounter in context. It belongs to the patient in context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encounter: Option<String>,
    /// The `intent`: what the app is to do, by agreement of the app and the EHR.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// True if the EHR shows the patient's identity, so that the app need not (`need_patient_banner` is `false`).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_banner: bool,
}

impl LaunchContext {
    /// Returns whether the context is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
