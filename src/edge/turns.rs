//! Work in turns: it goes on until it waits for a promise, hands that out, and goes on with what it came to. So there is
//! nothing to queue and nothing to wake. Where it waits for several at once they are handed out one after the other, the
//! latest first. The other side is `turns.js`.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use js_sys::Promise;
use wasm_bindgen::prelude::*;

use super::ffi::expected;

/// What a promise comes to, or a piece of work.
type Outcome = Result<JsValue, JsValue>;

/// Where it is put, for whoever waits for it.
type Slot = Rc<Cell<Option<Outcome>>>;

thread_local! {
    /// The promises that this turn has begun to wait for.
    static AWAITED: RefCell<Vec<(Promise, Slot)>> = const { RefCell::new(Vec::new()) };
}

/// What a promise comes to.
///
/// # Errors
/// The reason where it is rejected.
pub async fn settled(promise: Promise) -> Outcome {
    let slot = Slot::default();
    AWAITED.with_borrow_mut(|awaited| awaited.push((promise, Rc::clone(&slot))));
    poll_fn(|_| slot.take().map_or(Poll::Pending, Poll::Ready)).await
}

/// Work that is done in turns. Whoever drops it before its end has it forgotten, and all that it holds.
#[wasm_bindgen]
pub struct Turns {
    work: Pin<Box<dyn Future<Output = Outcome>>>,
    /// Where the outcome of the promise goes that was handed out.
    slot: Slot,
    /// The promises that are waited for beside it.
    others: Vec<(Promise, Slot)>,
    outcome: Outcome,
}

impl Turns {
    /// That work, before its first turn.
    pub fn of(work: impl Future<Output = Outcome> + 'static) -> Self {
        Self { work: Box::pin(work), slot: Slot::default(), others: Vec::new(), outcome: Err(JsValue::UNDEFINED) }
    }

    fn turn(&mut self) -> Option<Promise> {
        let polled = self.work.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        let known = self.others.len();
        AWAITED.with_borrow_mut(|awaited| self.others.append(awaited));
        if let Poll::Ready(outcome) = polled {
            self.outcome = outcome;
            return None;
        }
        let (promise, slot) = self.others.pop()?;
        self.slot = slot;
        self.others.iter().skip(known).for_each(|(promise, _)| expected(promise));
        Some(promise)
    }
}

/// Each turn gives a promise that is to be waited for; the last gives none.
#[wasm_bindgen]
impl Turns {
    /// The next, with the value of the promise. The first has none.
    pub fn resolve(&mut self, value: JsValue) -> Option<Promise> {
        self.slot.set(Some(Ok(value)));
        self.turn()
    }

    /// The next, with the reason why the promise is rejected.
    pub fn reject(&mut self, reason: JsValue) -> Option<Promise> {
        self.slot.set(Some(Err(reason)));
        self.turn()
    }

    /// What the work came to.
    ///
    /// # Errors
    /// Where it came to one, or not to its end.
    pub fn outcome(self) -> Result<JsValue, JsValue> {
        self.outcome
    }
}
