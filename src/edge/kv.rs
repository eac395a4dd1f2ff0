//! Workers KV as [`Shelves`]. Each value is read separately, as bytes. A bulk read returns only texts, and takes ten
//! times as long for values as large as shelves.

use futures_util::future::try_join_all;
use worker::kv::KvStore;
use worker::{Env, KvError};

use store::{ShelfError, Shelves};

const BINDING: &str = "CHARTS";

/// The namespace of the shelves.
#[derive(Clone)]
pub struct Kv(KvStore);

impl Kv {
    /// Returns the namespace that is bound in an environment.
    ///
    /// # Errors
    /// If there is no such binding.
    pub fn of(env: &Env) -> Result<Self, String> {
        env.kv(BINDING).map(Self).map_err(|_| format!("there is no binding {BINDING}"))
    }
}

impl Shelves for Kv {
    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, ShelfError> {
        try_join_all(keys.iter().map(|key| self.0.get(key).bytes())).await.map_err(fault)
    }
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn fault(error: KvError) -> ShelfError {
    ShelfError(error.to_string())
}
