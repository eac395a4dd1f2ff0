//! Work in turns: it goes on until it waits for a promise, hands that out, and goes on with what it came to. It waits for one
//! at a time, so there is nothing to queue and nothing to wake. The other side is `entry.js`.

use std::cell::Cell;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use js_sys::Promise;
use wasm_bindgen::prelude::*;

/// What a promise comes to, or a piece of work.
type Outcome = Result<JsValue, JsValue>;

thread_local! {
    /// The promise that the turn ended with.
    static AWAITED: Cell<Option<Promise>> = const { Cell::new(None) };
    /// What the promise came to that the turn begins with.
    static SETTLED: Cell<Option<Outcome>> = const { Cell::new(None) };
}

/// What a promise comes to.
///
/// # Errors
/// The reason where it is rejected.
pub async fn settled(promise: Promise) -> Outcome {
    AWAITED.set(Some(promise));
    poll_fn(|_| SETTLED.take().map_or(Poll::Pending, Poll::Ready)).await
}

/// Work that is done in turns. Whoever drops it before its end has it forgotten, and all that it holds.
#[wasm_bindgen]
pub struct Turns {
    work: Pin<Box<dyn Future<Output = Outcome>>>,
    outcome: Outcome,
}

impl Turns {
    /// That work, before its first turn.
    pub fn of<T: Into<JsValue>, E: Into<JsValue>>(work: impl Future<Output = Result<T, E>> + 'static) -> Self {
        let work = Box::pin(async { work.await.map(Into::into).map_err(Into::into) });
        Self { work, outcome: Err(JsValue::UNDEFINED) }
    }

    fn turn(&mut self, settled: Option<Outcome>) -> Option<Promise> {
        SETTLED.set(settled);
        match self.work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => {
                self.outcome = outcome;
                None
            }
            Poll::Pending => AWAITED.take(),
        }
    }
}

/// Each turn gives the promise that is to be waited for; the last gives none.
#[wasm_bindgen]
impl Turns {
    /// The first.
    pub fn begin(&mut self) -> Option<Promise> {
        self.turn(None)
    }

    /// The next, with the value of the promise.
    pub fn resolve(&mut self, value: JsValue) -> Option<Promise> {
        self.turn(Some(Ok(value)))
    }

    /// The next, with the reason why the promise is rejected.
    pub fn reject(&mut self, reason: JsValue) -> Option<Promise> {
        self.turn(Some(Err(reason)))
    }

    /// What the work came to.
    ///
    /// # Errors
    /// Where it came to one, or not to its end.
    pub fn outcome(self) -> Result<JsValue, JsValue> {
        self.outcome
    }
}
