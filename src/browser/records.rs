//! Records in memory, searched and read under the grant of a token.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use js_sys::Date;
use wasm_bindgen::prelude::*;

use super::ffi::{authority, parsed, plain, refused};
use api::{Disclosure, Moment, Problem, QueryContext, answer_request};
use fhir::{Id, Micros, Reference, ResourceType, Span, splice};
use ingest::LoadedMemory;
use search::{CursorKey, IndexSet, MAX_COUNT};
use smart::{Grant, PatientList};
use store::IndexedResource;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
    fn random_values(bytes: &mut [u8]);
}

/// Records in memory. They are searched and read as on the server, under a grant. The module exports them as `Chart`.
#[wasm_bindgen(js_name = Chart)]
pub struct Records {
    memory: LoadedMemory,
    base: String,
    grant: Grant,
    index: &'static IndexSet,
    cursors: CursorKey,
}

#[wasm_bindgen(js_class = Chart)]
impl Records {
    /// Creates an object without records. Links begin with `base`, the URL of a FHIR base. Without a grant, everything
    /// is open.
    ///
    /// # Errors
    /// An OperationOutcome, if the grant is invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(
        base: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "Grant")] grant: &JsValue,
    ) -> Result<Self, JsValue> {
        let base = base.trim_end_matches('/').to_owned();
        let mut records = Self {
            memory: LoadedMemory::new(&base),
            base,
            grant: authority(&JsValue::UNDEFINED)?.0,
            index: IndexSet::of_r4(),
            cursors: CursorKey::new(&random()),
        };
        records.authorize(grant)?;
        Ok(records)
    }

    /// Loads a Bundle, a resource, or NDJSON of either. A resource replaces an earlier one with the same type and id. A
    /// new or changed resource without `meta.lastUpdated` gets the instant `now`.
    ///
    /// # Errors
    /// An OperationOutcome, if `now` is not a time, or the report cannot be passed to JavaScript.
    #[wasm_bindgen(unchecked_return_type = "LoadReport")]
    #[allow(clippy::needless_pass_by_value, reason = "wasm-bindgen passes owned values")]
    pub fn load(
        &mut self,
        text: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] now: Option<String>,
    ) -> Result<JsValue, JsValue> {
        let now = moment(now.as_deref())?;
        plain(&self.memory.load(text, now))
    }

    /// Replaces the grant for later searches and reads.
    ///
    /// # Errors
    /// An OperationOutcome, if the grant is invalid. The earlier grant is kept in this case.
    pub fn authorize(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Grant")] grant: &JsValue,
    ) -> Result<(), JsValue> {
        let (grant, access_list, index) = authority(grant)?;
        if let (Some(user), Some(access_list)) = (&grant.user, access_list) {
            self.memory.enrol(PatientList::OfUser(user.clone()), access_list);
        }
        self.grant = grant;
        self.index = index;
        Ok(())
    }

    /// Answers a search, such as `Observation?patient=…` or a link of an earlier Bundle, and returns the text of a
    /// searchset Bundle. For the path of a single resource, it returns the text of the resource. The instant `now`
    /// becomes the Bundle's `meta.lastUpdated`.
    ///
    /// # Errors
    /// An OperationOutcome.
    #[allow(clippy::needless_pass_by_value, reason = "wasm-bindgen passes owned values")]
    pub fn search(
        &self,
        query: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] now: Option<String>,
    ) -> Result<String, JsValue> {
        self.answer(query, moment(now.as_deref())?)
    }

    /// Returns the text of the resource with this type and id.
    ///
    /// # Errors
    /// An OperationOutcome.
    pub fn read(&self, r#type: &str, id: &str) -> Result<String, JsValue> {
        // A text that is not an id must not reach `answer`, which also accepts other paths.
        let named = ResourceType::parse(r#type).ok_or(Problem::NoRoute);
        let reference = named
            .and_then(|resource_type| Ok(Reference { resource_type, id: Id::parse(id).ok_or(Problem::NotFound)? }));
        let reference = reference.map_err(|problem| parsed(&problem.outcome()))?;
        self.answer(&reference.to_string(), 0)
    }

    /// Returns the number of resources of each type.
    ///
    /// # Errors
    /// If the numbers cannot be passed to JavaScript.
    #[wasm_bindgen(unchecked_return_type = "Record<string, number>")]
    pub fn counts(&self) -> Result<JsValue, JsValue> {
        let mut counts = BTreeMap::<_, usize>::new();
        for row in self.rows() {
            *counts.entry(row.resource_type.name()).or_default() += 1;
        }
        plain(&counts)
    }

    /// Returns the addresses, such as `Condition/c`, of the resources of a patient. Without a patient, returns those of
    /// resources that should belong to a patient but name none, and are in no compartment.
    #[allow(clippy::needless_pass_by_value, reason = "wasm-bindgen passes owned values")]
    pub fn addresses(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] patient: Option<String>,
    ) -> Vec<String> {
        let is_wanted = |row: &&IndexedResource| match patient.as_deref() {
            Some(patient) => is_of(row, patient),
            None => row.owner.is_nobody(row.resource_type),
        };
        self.rows().iter().filter(is_wanted).map(|row| row.reference().to_string()).collect()
    }

    /// Returns the texts of the resources of a patient as NDJSON, regardless of grants.
    pub fn texts(&self, patient: &str) -> String {
        let mut texts = String::new();
        for row in self.rows().iter().filter(|row| is_of(row, patient)) {
            texts.push_str(&row.body);
            texts.push('\n');
        }
        texts
    }

    /// Returns the resources of patients without a Patient, each as the id of the patient, a space, and its address.
    #[wasm_bindgen(js_name = absentPatients)]
    pub fn absent_patients(&self) -> Vec<String> {
        let store = self.memory.store();
        let is_absent =
            |id: &&Id| store.row(&Reference { resource_type: ResourceType::Patient, id: (*id).clone() }).is_none();
        let of_absent = |row: &IndexedResource| {
            row.owner.sole().filter(is_absent).map(|patient| format!("{patient} {}", row.reference()))
        };
        self.rows().iter().filter_map(of_absent).collect()
    }

    /// Returns the ids of all resources of a type, including those that no grant opens: a search for patients needs a
    /// parameter, and a patient may have no value for any parameter.
    pub fn ids(&self, r#type: &str) -> Vec<String> {
        let resource_type = ResourceType::parse(r#type);
        let rows = self.memory.store().rows().iter().filter(|row| Some(row.resource_type) == resource_type);
        rows.map(|row| row.id.to_string()).collect()
    }
}

impl Records {
    fn rows(&self) -> &[IndexedResource] {
        self.memory.store().rows()
    }

    fn answer(&self, request: &str, now: Micros) -> Result<String, JsValue> {
        let moment = Moment { now, random: random() };
        let context = QueryContext {
            base: &self.base,
            index: self.index,
            cursors: &self.cursors,
            grant: &self.grant,
            prefer: None,
            moment: &moment,
            most: MAX_COUNT,
        };
        match at_once(answer_request(self.memory.store(), request, context, &mut Disclosure::default())) {
            Ok(reply) => Ok(splice(reply.body)),
            Err(problem) => Err(parsed(&problem.outcome())),
        }
    }
}

fn is_of(row: &IndexedResource, patient: &str) -> bool {
    row.owner.patients().any(|id| id.as_str() == patient)
}

/// Returns the time that a text specifies, or the current time.
pub(super) fn moment(text: Option<&str>) -> Result<Micros, JsValue> {
    match text {
        None => Ok((Date::now() * 1_000.0) as Micros),
        Some(text) => Ok(Span::parse(text).ok_or_else(|| refused(format!("{text:?} is not a time.")))?.from),
    }
}

fn random() -> [u8; 32] {
    let mut random = [0; 32];
    random_values(&mut random);
    random
}

/// Runs a future that is ready at once, as the futures of the memory store are.
fn at_once<T>(future: impl Future<Output = Result<T, Problem>>) -> Result<T, Problem> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => Err(Problem::Fault("a memory store waited".to_owned())),
    }
}
