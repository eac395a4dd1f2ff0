//! The faults of a request that a page shows to the user, because no app can receive them.

/// A fault of a request. `api` has a sentence for each, for users and for developers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestFault {
    /// `client_id` occurs twice.
    TwoClients,
    /// `client_id` is missing.
    NoClient,
    /// `client_id` names no registered client.
    UnknownClient,
    /// The document at the address `client_id` cannot be fetched, or is not valid.
    ClientDocument,
    /// `redirect_uri` occurs twice.
    TwoRedirects,
    /// `redirect_uri` is missing.
    NoRedirect,
    /// `redirect_uri` is not registered.
    UnknownRedirect,
    /// The request is too long.
    TooLong,
    /// The request cannot be parsed.
    Malformed,
    /// The body is not a form.
    NoForm,
    /// There is no such identity provider.
    UnknownProvider,
    /// The answer of an identity provider has a parameter twice.
    DoubledAnswer,
    /// The answer is from a different identity provider than the one that was asked.
    OtherProvider,
    /// The answer of an identity provider has no code.
    NoProviderCode,
    /// The user may not see the selected patient.
    OtherPatient,
    /// The selected encounter does not belong to the patient, or the user may not see it.
    OtherEncounter,
    /// A sign-out request has a parameter twice, or one that is too long.
    DoubledSignOut,
    /// The `id_token_hint` of a sign-out request was issued to a client other than its `client_id`.
    OtherToken,
    /// `post_logout_redirect_uri` is not registered.
    UnknownReturn,
}
