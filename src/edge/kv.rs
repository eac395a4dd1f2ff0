//! Workers KV as [`Shelves`]. Each value is read by itself, as bytes, or as a stream if not all of it may be needed. A
//! bulk read returns only texts, and takes ten times as long for values as large as shelves.

use futures_util::StreamExt;
use futures_util::future::try_join_all;
use worker::kv::KvStore;
use worker::{ByteStream, Env, KvError};

use crate::store::shelf::ShelfError;
use crate::store::{Shelves, ValueReader};

/// The name of the binding.
const BINDING: &str = "CHARTS";

/// The namespace of the shelves.
#[derive(Clone)]
pub struct Kv(KvStore);

impl Kv {
    /// The namespace that is bound in an environment.
    ///
    /// # Errors
    /// If there is no such binding.
    pub fn of(env: &Env) -> Result<Self, String> {
        env.kv(BINDING).map(Self).map_err(|_| format!("there is no binding {BINDING}"))
    }
}

/// A value that is being read. Dropping it ends the transfer.
pub struct KvStream {
    chunks: ByteStream,
    /// The unread rest of the last chunk.
    rest: Vec<u8>,
}

impl ValueReader for KvStream {
    async fn read(&mut self, bytes: &mut Vec<u8>, more: usize) -> Result<(), ShelfError> {
        while self.rest.len() < more {
            let Some(chunk) = self.chunks.next().await else { break };
            self.rest.extend(chunk.map_err(|error| ShelfError(error.to_string()))?);
        }
        bytes.extend(self.rest.drain(..more.min(self.rest.len())));
        Ok(())
    }
}

impl Shelves for Kv {
    type ValueReader = KvStream;

    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, ShelfError> {
        try_join_all(keys.iter().map(|key| self.0.get(key).bytes())).await.map_err(fault)
    }

    async fn open(&self, key: &str) -> Result<Option<KvStream>, ShelfError> {
        let stream = self.0.get(key).stream().await.map_err(fault)?;
        Ok(stream.map(|stream| KvStream { chunks: stream.into(), rest: Vec::new() }))
    }
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn fault(error: KvError) -> ShelfError {
    ShelfError(error.to_string())
}
