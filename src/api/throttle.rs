//! Floods. What costs more to answer than to ask is answered to one network so often and no more: whatever the
//! authorization server is asked, and tokens that have to be verified. It is counted where the platform counts, about right
//! and for nothing; guesses are counted exactly, in the ledger ([`crate::oauth::Guard`]).

use super::call::Call;

/// Counts what comes from each network.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Throttle {
    /// Whether one more request from there is to be answered.
    async fn admits(&self, network: &str) -> bool;
}

/// How long who is not admitted has to wait, in seconds: the period of the limit in wrangler.toml.
pub const WAIT: i64 = 60;

/// Whether the call is to be answered. Where the platform tells of no network, there is none to count.
pub async fn is_admitted<T: Throttle>(throttle: &T, call: &Call<'_>) -> bool {
    let network = call.source();
    network.is_empty() || throttle.admits(&network).await
}
