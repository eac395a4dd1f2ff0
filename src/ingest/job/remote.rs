//! Other servers, whose files are fetched.

/// Other servers, whose files are fetched.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Remote {
    /// Fetches a document of limited length. The server has to be one that the deployment allows.
    ///
    /// # Errors
    /// If there is no such document, or the server does not answer.
    async fn document(&self, url: &str, headers: &[(String, String)]) -> Result<String, RemoteFault>;

    /// Fetches a file, and stores it in the bucket under this key. Returns its size.
    ///
    /// # Errors
    /// If there is no such file, or the server or the bucket does not answer.
    async fn store(&self, url: &str, headers: &[(String, String)], key: &str) -> Result<u64, RemoteFault>;
}

/// The reason why something was not fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteFault {
    /// True if another try would fail too.
    pub is_permanent: bool,
    /// The reason: for the client if it is permanent, else for the log.
    pub why: String,
}
