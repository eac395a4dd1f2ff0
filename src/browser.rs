//! The engine in a browser: a chart that is loaded once and searched as the server searches it, offline.
//!
//! Each method is a line or two: values cross as plain objects where they are small, Bundles as text, and whatever is
//! wrong is thrown as an OperationOutcome. Not here: the page, and the launch that gets the data (`www/`).

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use js_sys::{Date, JSON};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use crate::api::{Asked, Moment, Problem, Reply, ask};
use crate::fhir::{Id, Issue, IssueCode, ResourceType, outcome, splice};
use crate::intake::Held;
use crate::search::CursorKey;
use crate::smart::{Grant, Prefer, ScopeSet};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
    fn random_values(bytes: &mut [u8]);
}

/// Records that were loaded into memory, and the authority that they are searched on: at first, all of it.
#[wasm_bindgen]
pub struct Chart {
    held: Held,
    base: String,
    grant: Grant,
    cursors: CursorKey,
}

#[wasm_bindgen]
impl Chart {
    /// An empty chart. Its links and addresses are under `base`, the address of a FHIR base.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(base: &str) -> Self {
        let base = base.trim_end_matches('/').to_owned();
        let cursors = CursorKey::new(&moment().random);
        Self { held: Held::new(&base), base, grant: everything(), cursors }
    }

    /// Loads a resource, a Bundle, or NDJSON: `{loaded, notServed: {type: number}, faults: [text]}`.
    ///
    /// # Errors
    /// Where the report cannot cross.
    pub fn load(&mut self, text: &str) -> Result<JsValue, JsValue> {
        plain(&self.held.load(text))
    }

    /// Searches and reads from now on as a token would with these scopes and, if it has one, this patient.
    ///
    /// # Errors
    /// An OperationOutcome, where a scope is none.
    pub fn authorize(&mut self, scopes: &str, patient: Option<String>) -> Result<(), JsValue> {
        let scopes = ScopeSet::parse(scopes).map_err(|error| {
            thrown(&[Issue::error(IssueCode::Value, format!("{:?}: {}", error.scope, error.reason))])
        })?;
        self.grant = Grant { scopes, patient: patient.as_deref().and_then(Id::parse), ..everything() };
        Ok(())
    }

    /// The answer to a search or a read as it is written below the FHIR base: a Bundle or a resource, as text.
    ///
    /// # Errors
    /// An OperationOutcome.
    pub fn ask(&self, question: &str) -> Result<String, JsValue> {
        let moment = moment();
        let asked = Asked {
            base: &self.base,
            cursors: &self.cursors,
            grant: &self.grant,
            prefer: Prefer::Unsaid,
            moment: &moment,
        };
        match now(ask(self.held.store(), question, asked)) {
            Ok(reply) => Ok(splice(reply.body)),
            Err(problem) => Err(parsed(&said(&problem))),
        }
    }

    /// How many resources there are: `{type: number}`.
    ///
    /// # Errors
    /// Where the numbers cannot cross.
    pub fn counts(&self) -> Result<JsValue, JsValue> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for row in self.held.store().rows() {
            *counts.entry(row.kind.name()).or_default() += 1;
        }
        plain(&counts)
    }
}

/// A value as plain objects and numbers, as JSON would have it.
fn plain(value: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(value.serialize(&Serializer::json_compatible())?)
}

/// The authority over everything that was loaded.
fn everything() -> Grant {
    let scopes: Vec<_> = ResourceType::ALL.iter().map(|kind| format!("system/{kind}.read")).collect();
    let scopes = ScopeSet::parse(&scopes.join(" ")).unwrap_or_default();
    Grant { id: None, client: "browser".to_owned(), patient: None, user: None, scopes }
}

fn moment() -> Moment {
    let mut random = [0; 32];
    random_values(&mut random);
    Moment { now: (Date::now() * 1_000.0) as i64, random }
}

/// The OperationOutcome of a refusal.
fn said(problem: &Problem) -> String {
    let reply: Reply<String> = problem.reply();
    splice(reply.body)
}

fn thrown(issues: &[Issue]) -> JsValue {
    parsed(&outcome(issues))
}

fn parsed(json: &str) -> JsValue {
    JSON::parse(json).unwrap_or_else(|error| error)
}

/// Runs a future that waits for nothing: a memory store has everything at hand.
fn now<T>(future: impl Future<Output = Result<T, Problem>>) -> Result<T, Problem> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => Err(Problem::Fault("a memory store waited".to_owned())),
    }
}
