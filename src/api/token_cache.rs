//! Tokens that were verified before: the signature costs milliseconds, and a client sends the same token with every request.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::oauth::{TokenFault, Verified};
use crate::smart::Grant;

/// Tokens that an isolate has verified. A token is in it only with its whole text, and only until it ends; whether its
/// authorization still stands is asked with every answer.
#[derive(Debug, Default)]
pub struct TokenCache(RefCell<HashMap<String, (Rc<Grant>, i64)>>);

/// Tokens that are remembered at once. Then all are forgotten: cheaper than knowing which is oldest, and rare.
const MOST: usize = 1_000;

impl TokenCache {
    /// The grant of a token that was verified before.
    pub fn known(&self, token: &str, now: i64) -> Option<Result<Rc<Grant>, TokenFault>> {
        let known = self.0.borrow();
        let (grant, expires) = known.get(token)?;
        Some(if now < *expires { Ok(Rc::clone(grant)) } else { Err(TokenFault::Expired) })
    }

    /// Remembers one.
    pub fn learn(&self, token: &str, verified: &Verified) -> Rc<Grant> {
        let grant = Rc::new(verified.grant());
        let mut known = self.0.borrow_mut();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(token.to_owned(), (Rc::clone(&grant), verified.expires()));
        grant
    }
}
