//! The catalogue of a load: the names of its resources, their owners, and the elements that chained searches read. It
//! is complete before the first resource is indexed.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::age::Age;
use super::bundle_names::base_of;
use super::spill::{NameDigest, SpillMap, SpillTable, key};
use super::value::MAX_BODY;
use collections::order::set_of;
use fhir::{Id, Micros, Reference, ResourceType, compact, for_each_object, for_each_value};
use search::registry::{is_chained_to, params_of};
use smart::{Owner, for_each_owning, is_directory, is_owned_through_others, sole_owning};

/// The reason why stored data cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage(pub String);

/// The resources that earlier loads stored.
pub trait EarlierLoads {
    /// The longest text of a resource that is stored, in bytes.
    const MAX_BODY_LENGTH: usize = MAX_BODY;

    /// Returns the resources with that name.
    fn named(&self, name: &str) -> Result<Vec<Reference>, Damage>;
    /// Returns the owner of a stored resource.
    fn owner(&self, reference: &Reference) -> Result<Option<Owner>, Damage>;
    /// Returns the text of a stored resource. A resource that cannot be read counts as older than and different from
    /// any other: it is replaced, or its chart refuses the new one.
    fn body(&self, reference: &Reference) -> Option<String>;
    /// Returns the stored resources that depend on the one with that reference or name.
    fn dependents(&self, name: &str) -> Result<Vec<Reference>, Damage>;
    /// Returns the time at which a resource was deleted, unless that was long ago.
    fn deleted_at(&self, reference: &Reference) -> Option<Micros>;
    /// Returns a stored resource.
    fn resource(&self, reference: &Reference) -> Result<Option<Value>, Damage>;
}

/// Returns what the owner, the chained facts or the references of a resource depend on: references, and names without a
/// known resource. Loading such a resource causes this one to be indexed again.
pub fn depends_on(resource_type: ResourceType, resource: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for_each_unresolved(resource, &mut |name| {
        found.insert(name);
    });
    let target = |element: &Value| element.get("reference").and_then(Value::as_str).and_then(Reference::parse);
    if is_owned_through_others(resource_type) {
        for_each_owning(resource_type, resource, &mut |element| {
            // Resources of the directory own nothing: loading a practitioner again does not affect appointments.
            let owning = target(element).filter(|reference| !is_directory(reference.resource_type));
            found.extend(owning.map(|reference| reference.to_string()));
        });
    }
    for (reference, _) in params_of(resource_type).filter_map(|param| param.via) {
        for_each_value(resource, reference, &mut |element| {
            found.extend(target(element).map(|reference| reference.to_string()));
        });
    }
    found
}

/// Returns the names that may have led a stored resource to patients: those in References to a patient that also have
/// an identifier. [`EarlierLoads::dependents`] of a name tells whether the identifier determined the reference, or
/// whether the reference was there from the beginning.
pub(super) fn names_of_patients(resource: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for_each_object(resource, &mut |members| found.extend(name_of_patient(members)));
    found
}

/// The earlier loads of an empty store.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoEarlierLoads;

impl EarlierLoads for NoEarlierLoads {
    fn named(&self, _: &str) -> Result<Vec<Reference>, Damage> {
        Ok(Vec::new())
    }

    fn owner(&self, _: &Reference) -> Result<Option<Owner>, Damage> {
        Ok(None)
    }

    fn body(&self, _: &Reference) -> Option<String> {
        None
    }

    fn resource(&self, _: &Reference) -> Result<Option<Value>, Damage> {
        Ok(None)
    }

    fn deleted_at(&self, _: &Reference) -> Option<Micros> {
        None
    }

    fn dependents(&self, _: &str) -> Result<Vec<Reference>, Damage> {
        Ok(Vec::new())
    }
}

/// The catalogue of one load.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// The [`CatalogueEntry`] of each resource by `Type/id`, the `Type/id` of the resources with each other name, and
    /// each [`Choice`] that differs from the first occurrence.
    entries: SpillMap,
    /// The stored resources that depend on those of the load. Some are in the load too.
    dependents: BTreeSet<Reference>,
    chained: HashMap<Reference, Value>,
    /// True if the load has deleted a resource.
    has_deletions: bool,
    /// True if the load has a resource that is stored with the same content.
    has_unchanged: bool,
    /// Occurrences that are as new as the chosen one and come before it: their content and location.
    equals: HashMap<NameDigest, Vec<(NameDigest, String)>>,
    /// The FHIR base of the source, if its absolute references lead to resources of the load.
    source: Option<String>,
    /// True if those references also lead to stored resources.
    leads_to_stored: bool,
}

/// The chosen one of the occurrences of a resource, by its number, and its age. `None` if the stored form is newer.
type Choice = Option<(usize, Age)>;

/// The facts of a resource in the load.
#[derive(Debug, Default, Serialize, Deserialize)]
struct CatalogueEntry {
    state: State,
    /// The first occurrence, unless the stored form is newer.
    first: Choice,
    /// The references that determine the owner, as written; `None` for one in an unknown form. Only a resource that is
    /// owned through others has several.
    owning: Vec<Option<String>>,
    /// The names of the resource, so that those of a superseded form can be forgotten.
    names: Vec<String>,
}

/// The effect of a load on a resource.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum State {
    /// The stored form counts.
    #[default]
    Absent,
    /// The load has the resource.
    Loaded,
    /// The load deletes the resource.
    Deleted,
    /// The stored form equals that of the load.
    Unchanged,
}

/// The form of a resource that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ChosenForm {
    /// The given occurrence. The locations are those of other occurrences of the same age with other contents.
    This(Vec<String>),
    /// Another occurrence in the load.
    Another {
        /// True if the given occurrence is older.
        is_older: bool,
    },
    /// The stored form, which is newer than all forms in the load.
    Stored,
}

/// Returns the name of the [`Choice`] of a resource in a catalogue.
fn choice_key(reference: &Reference) -> NameDigest {
    key(&format!("choice of {reference}"))
}

/// The most occurrences of a resource that are compared with the chosen one.
const MAX_EQUALS: usize = 20;

/// The number of resources with one name from which on the name is that of several, whatever becomes of them.
const MAX_HOLDERS: usize = 20;

impl Catalogue {
    /// Keeps a part of the entries in a table from now on.
    pub(super) fn spill_into(&mut self, table: Option<&Rc<dyn SpillTable>>) {
        self.entries.spill_into(table);
    }

    pub(super) const fn table(&self) -> Option<&Rc<dyn SpillTable>> {
        self.entries.table()
    }

    /// Returns the number of values in the largest of the collections in memory.
    #[cfg(test)]
    pub(super) fn in_memory(&self) -> usize {
        self.entries.count().max(self.dependents.len()).max(self.chained.len()).max(self.equals.len())
    }

    fn entry(&self, reference: &Reference) -> Option<CatalogueEntry> {
        self.entries.get(&key(&reference.to_string()))
    }

    /// Returns whether the catalogue has a resource in that state.
    fn has(&self, reference: &Reference, state: State) -> bool {
        self.entry(reference).is_some_and(|entry| entry.state == state)
    }

    /// Adds a resource, and the stored resources that depend on it.
    ///
    /// # Errors
    /// If some of these cannot be read. All others are added.
    pub fn add_resource(
        &mut self,
        resource_type: ResourceType,
        id: &Id,
        resource: &Value,
        earlier: &impl EarlierLoads,
    ) -> Result<(), Damage> {
        let reference = Reference { resource_type, id: id.clone() };
        let (own, is_patient) = (reference.to_string(), resource_type == ResourceType::Patient);
        let mut entry = self.entry(&reference).unwrap_or_default();
        self.forget_names(&own, &entry.names);
        let mut read = if is_patient { self.depend_on_names(&reference, earlier) } else { Ok(()) };
        let names = names(resource_type, resource);
        for name in &names {
            read = read.and(self.depend(name, earlier));
            let mut holders = self.holders(name);
            if holders.len() < MAX_HOLDERS && !holders.contains(&own) {
                holders.push(own.clone());
                self.entries.put(key(name), &holders);
            }
        }
        let mut owning = Vec::new();
        for_each_owning(resource_type, resource, &mut |element| owning.push(name_of(element)));
        entry.state = State::Loaded;
        entry.owning = if is_owned_through_others(resource_type) {
            owning
        } else if is_patient {
            vec![Some(own.clone())]
        } else {
            sole_owning(owning).map(Some).into_iter().collect()
        };
        entry.names = names;
        self.entries.put(key(&own), &entry);
        self.dependents.remove(&reference);
        if is_chained_to(resource_type) {
            self.chained.insert(reference, resource.clone());
        }
        read.and(self.depend(&own, earlier))
    }

    /// Returns the resources of the load that have a name: all of them, if they are fewer than [`MAX_HOLDERS`].
    fn holders(&self, name: &str) -> Vec<String> {
        self.entries.get(&key(name)).unwrap_or_default()
    }

    /// Forgets the names of an earlier form of a resource in the load.
    fn forget_names(&mut self, own: &str, names: &[String]) {
        for name in names {
            let mut holders = self.holders(name);
            if holders.len() < MAX_HOLDERS {
                holders.retain(|holder| holder != own);
                self.entries.put(key(name), &holders);
            }
        }
    }

    /// Adds the stored resources that a name of the stored patient led to the patient. The new form may lack the name.
    fn depend_on_names(&mut self, patient: &Reference, earlier: &impl EarlierLoads) -> Result<(), Damage> {
        let Some(stored) = earlier.resource(patient)? else { return Ok(()) };
        let mut read = Ok(());
        for name in names(patient.resource_type, &stored) {
            read = read.and(self.depend(&name, earlier));
        }
        read
    }

    /// Adds an occurrence of a resource: a form or a deletion, which is the entry with that number in the load. It is
    /// compared with the newest earlier occurrence; the first one is compared with the stored form. Of equally new
    /// ones, the last counts. Returns whether this one counts, unless a later one does.
    pub(super) fn add_occurrence(
        &mut self,
        number: usize,
        reference: &Reference,
        age: Age,
        is_outdated: &dyn Fn() -> bool,
    ) -> bool {
        let repeated: Option<Choice> = self.entries.get(&choice_key(reference));
        let first = self.entry(reference).and_then(|entry| entry.first);
        let before = repeated.unwrap_or(first);
        let counts = match before {
            Some((_, newest)) => !age.is_before(newest),
            None => !is_outdated(),
        };
        let choice = if counts { Some((number, age)) } else { before };
        if counts && repeated.is_none() && first.is_none() {
            let entry = CatalogueEntry { first: choice, ..CatalogueEntry::default() };
            self.entries.put(key(&reference.to_string()), &entry);
        } else {
            self.entries.put(choice_key(reference), &choice);
        }
        counts
    }

    /// Returns the result of [`Self::add_occurrence`] for a resource, as seen from the occurrence with that number.
    /// `content` is the text of the occurrence, which is empty for a deletion.
    pub(super) fn choice(
        &mut self,
        number: usize,
        reference: &Reference,
        age: Age,
        content: &str,
        location: &dyn Fn() -> String,
    ) -> ChosenForm {
        let own = choice_key(reference);
        // Most resources occur once, and nothing is read for them.
        let Some(choice) = self.entries.get::<Choice>(&own) else { return ChosenForm::This(Vec::new()) };
        let Some((chosen, newest)) = choice else { return ChosenForm::Stored };
        let (is_chosen, is_equal) = (chosen == number, !age.is_before(newest) && !newest.is_before(age));
        let (is_deletion, content) = (content.is_empty(), key(&compact(content)));
        if is_chosen {
            let equals = self.equals.remove(&own).filter(|_| !is_deletion).unwrap_or_default();
            return ChosenForm::This(
                equals.into_iter().filter(|(other, _)| *other != content).map(|(_, at)| at).collect(),
            );
        }
        if is_equal && !is_deletion {
            let equals = self.equals.entry(own).or_default();
            if equals.len() < MAX_EQUALS && equals.iter().all(|(other, _)| *other != content) {
                equals.push((content, location()));
            }
        }
        ChosenForm::Another { is_older: !is_equal }
    }

    /// Adds the deletion of a resource. If the resource occurs again later, that occurrence counts.
    ///
    /// # Errors
    /// If some of the stored resources that depend on it cannot be read. All others are added.
    pub fn add_deletion(&mut self, reference: &Reference, earlier: &impl EarlierLoads) -> Result<(), Damage> {
        let (own, mut entry) = (reference.to_string(), self.entry(reference).unwrap_or_default());
        self.forget_names(&own, &entry.names);
        let is_patient = reference.resource_type == ResourceType::Patient;
        let read = if is_patient { self.depend_on_names(reference, earlier) } else { Ok(()) };
        self.chained.remove(reference);
        (entry.state, entry.owning, entry.names) = (State::Deleted, Vec::new(), Vec::new());
        self.entries.put(key(&own), &entry);
        self.has_deletions = true;
        read.and(self.depend(&own, earlier))
    }

    /// Adds the first occurrence of a resource that is already stored with the same content, and with all its
    /// dependents. Unless there is another occurrence, it needs no work, and its data are found among the stored
    /// resources. It is still a resource of the load: absolute references lead to it.
    pub(super) fn add_unchanged(&mut self, reference: &Reference) {
        let entry = self.entry(reference).unwrap_or_default();
        self.entries.put(key(&reference.to_string()), &CatalogueEntry { state: State::Unchanged, ..entry });
        self.has_unchanged = true;
    }

    /// Returns whether the stored form of a resource equals that of the load.
    pub(super) fn is_unchanged(&self, reference: &Reference) -> bool {
        self.has_unchanged && self.has(reference, State::Unchanged)
    }

    /// Returns whether a resource of which some occurrence counts has occurred once.
    pub(super) fn is_first(&self, reference: &Reference) -> bool {
        self.entries.get::<Choice>(&choice_key(reference)).is_none()
    }

    /// Returns whether a resource has occurred.
    pub(super) fn has_occurred(&self, reference: &Reference) -> bool {
        !self.is_first(reference) || self.entry(reference).is_some_and(|entry| entry.first.is_some())
    }

    /// Sets the FHIR base of the source. References below it lead to resources of the load, or also to stored ones.
    pub(super) fn set_source(&mut self, base: Option<String>, leads_to_stored: bool) {
        (self.source, self.leads_to_stored) = (base, leads_to_stored);
    }

    /// Returns whether the load deletes that resource.
    pub(super) fn deletes(&self, reference: &Reference) -> bool {
        self.has_deletions && self.has(reference, State::Deleted)
    }

    /// Adds the stored resources that depend on the one with that reference or name, so that they are indexed again.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub fn depend(&mut self, name: &str, earlier: &impl EarlierLoads) -> Result<(), Damage> {
        self.dependents.extend(earlier.dependents(name)?);
        Ok(())
    }

    /// Returns whether the load contains that resource.
    #[must_use]
    pub fn contains(&self, reference: &Reference) -> bool {
        self.has(reference, State::Loaded)
    }

    /// Creates the catalogue of these dependents, after the load has been stored.
    #[must_use]
    pub fn of_dependents(&self, dependents: BTreeSet<Reference>) -> Self {
        Self { dependents, source: self.source.clone(), leads_to_stored: true, ..Self::default() }
    }

    /// Resolves a name.
    ///
    /// # Errors
    /// If one of the resources with the name cannot be read.
    pub fn find(&self, name: &str, earlier: &impl EarlierLoads) -> Result<Resolution, Damage> {
        let mut all = earlier.named(name)?;
        // Resources in the load only have the names of their new form.
        all.retain(|reference| !self.deletes(reference) && !self.contains(reference));
        all.extend(self.holders(name).iter().filter_map(|own| Reference::parse(own)));
        Ok(match all.pop() {
            None => Resolution::None,
            Some(only) if all.iter().all(|other| *other == only) => Resolution::One(only),
            Some(_) => Resolution::Several,
        })
    }

    /// Resolves a reference to a resource of this server, whose FHIR base is `base`.
    pub(super) fn local(
        &self,
        text: &str,
        base: &str,
        earlier: &impl EarlierLoads,
    ) -> Result<Option<Reference>, Damage> {
        if let Some(reference) = Reference::parse(text) {
            return Ok(Some(reference));
        }
        Ok(match self.target(text, base, earlier)? {
            Resolution::One(reference) => Some(reference),
            Resolution::None | Resolution::Several => None,
        })
    }

    /// Resolves a reference that does not have the form `Type/id`.
    pub(super) fn target(&self, text: &str, base: &str, earlier: &impl EarlierLoads) -> Result<Resolution, Damage> {
        let is_stored = |reference: &Reference| {
            if self.deletes(reference) { Ok(false) } else { earlier.owner(reference).map(|owner| owner.is_some()) }
        };
        let unversioned = Reference::unversioned(text);
        let under_base = unversioned.strip_prefix(base).and_then(|rest| rest.strip_prefix('/'));
        if let Some(reference) = under_base.and_then(Reference::parse) {
            return Ok(Resolution::One(reference));
        }
        let of_source = || unversioned.strip_prefix(self.source.as_deref()?)?.strip_prefix('/');
        if let Some(reference) = of_source().and_then(Reference::parse) {
            let is_of_load = self.contains(&reference) || self.is_unchanged(&reference);
            let is_known = is_of_load || self.leads_to_stored && is_stored(&reference)?;
            return Ok(if is_known { Resolution::One(reference) } else { Resolution::None });
        }
        match conditional(unversioned) {
            Some(name) => self.find(&name, earlier),
            None => Ok(Resolution::None),
        }
    }

    /// Returns the owner of a resource of this load that is not owned through others. `None` for other resources.
    pub(super) fn owner(
        &self,
        reference: &Reference,
        base: &str,
        earlier: &impl EarlierLoads,
    ) -> Result<Option<Owner>, Damage> {
        let Some(entry) = self.loaded(reference) else { return Ok(None) };
        if is_directory(reference.resource_type) {
            return Ok(Some(Owner::Everyone));
        }
        let text = entry.owning.into_iter().flatten().next();
        let patient = text.map(|text| self.local(&text, base, earlier)).transpose()?.flatten();
        let patient = patient.filter(|patient| patient.resource_type == ResourceType::Patient);
        Ok(Some(Owner::Patients(set_of(patient.map(|patient| patient.id)))))
    }

    fn loaded(&self, reference: &Reference) -> Option<CatalogueEntry> {
        self.entry(reference).filter(|entry| entry.state == State::Loaded)
    }

    /// Returns the references of a resource of this load that is owned through others. Each is resolved if possible.
    pub(super) fn through(
        &self,
        reference: &Reference,
        base: &str,
        earlier: &impl EarlierLoads,
    ) -> Option<Result<Vec<Option<Reference>>, Damage>> {
        let written = self.loaded(reference)?.owning;
        let local = |text: Option<String>| text.map_or(Ok(None), |text| self.local(&text, base, earlier));
        Some(written.into_iter().map(local).collect())
    }

    /// Returns the stored resources that depend on those of the load.
    pub(super) const fn dependents(&self) -> &BTreeSet<Reference> {
        &self.dependents
    }

    /// Returns a resource of this load that chained searches read.
    pub(super) fn chained(&self, reference: &Reference) -> Option<&Value> {
        self.chained.get(reference)
    }
}

/// The result of resolving a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// No known resource has the name.
    None,
    /// One resource has the name.
    One(Reference),
    /// Several resources have the name, so that it identifies none.
    Several,
}

/// Returns the names by which references may refer to a resource, besides `Type/id`: its identifiers. An address in a
/// Bundle is not a name, since it is only valid inside the Bundle.
pub fn names(resource_type: ResourceType, resource: &Value) -> Vec<String> {
    let mut names = Vec::new();
    for_each_value(resource, "identifier", &mut |identifier| {
        let part = |name| identifier.get(name).and_then(Value::as_str).filter(|part| !part.is_empty());
        if let (Some(system), Some(value)) = (part("system"), part("value")) {
            names.push(by_identifier(resource_type.name(), system, value));
            names.push(by_identifier("", system, value));
        }
    });
    names
}

/// Returns the names of a resource that are stored: those of [`names`] without identifiers of a type.
pub fn stored_names(resource_type: ResourceType, resource: &Value) -> Vec<String> {
    let mut names = names(resource_type, resource);
    names.retain(|name| typed_identifier(name).is_none());
    names
}

/// Finds the resources with a name by the stored names.
pub(super) fn named_by(
    name: &str,
    stored: impl Fn(&str) -> Result<Vec<Reference>, Damage>,
) -> Result<Vec<Reference>, Damage> {
    let Some((resource_type, untyped)) = typed_identifier(name) else { return stored(name) };
    let mut named = stored(untyped)?;
    named.retain(|reference| reference.resource_type == resource_type);
    Ok(named)
}

/// Splits a name of a type and an identifier into the type and the name of the identifier without a type.
fn typed_identifier(name: &str) -> Option<(ResourceType, &str)> {
    let (resource_type, untyped) = name.split_at_checked(name.find("?identifier=")?)?;
    Some((ResourceType::parse(resource_type)?, untyped))
}

/// Returns the name of a resource with that identifier. An empty type stands for any type.
fn by_identifier(resource_type: &str, system: &str, value: &str) -> String {
    format!("{resource_type}?identifier={system}|{value}")
}

/// Returns the name in a conditional reference, percent-decoded. `None` if the reference has another form.
pub(super) fn conditional(reference: &str) -> Option<Cow<'_, str>> {
    let decoded = percent_decode_str(reference).decode_utf8_lossy();
    decoded.contains("?identifier=").then_some(decoded)
}

/// Returns the identifier in a conditional reference: its type, system and value.
pub(super) fn identifier_in(name: &str) -> Option<(&str, &str, &str)> {
    let (resource_type, identifier) = name.split_once("?identifier=")?;
    let (system, value) = identifier.split_once('|')?;
    Some((resource_type, system, value))
}

/// Calls `action` with the name of each Reference in a value that does not have the form `Type/id`. For an absolute
/// address, the name is the `Type/id` at its end, since a later resource with it may be the target.
fn for_each_unresolved(value: &Value, action: &mut dyn FnMut(String)) {
    for_each_object(value, &mut |members| match members.get("reference").and_then(Value::as_str) {
        Some(text) if text.starts_with('#') || Reference::parse(text).is_some() => {}
        Some(text) => {
            let address = Reference::unversioned(text);
            let name = conditional(address).map(Cow::into_owned);
            if let Some(name) = name.or_else(|| Some(address.strip_prefix(base_of(address)?)?.get(1..)?.to_owned())) {
                action(name);
            }
        }
        None => {
            if let Some(name) = identified(members, &OF_REFERENCE) {
                action(name);
            }
        }
    });
}

/// Returns whether each Reference in a resource leads to another resource by type and id, or to a contained resource,
/// and no Reference leads to a patient by an identifier.
pub(super) fn is_resolved(resource: &Value) -> bool {
    let mut is_resolved = true;
    for_each_object(resource, &mut |members| {
        is_resolved &= match members.get("reference").and_then(Value::as_str) {
            Some(text) if text.starts_with('#') => true,
            Some(text) => Reference::parse(text).is_some() && name_of_patient(members).is_none(),
            None => identified(members, &OF_REFERENCE).is_none(),
        };
    });
    is_resolved
}

/// Returns the name in a Reference to a patient that also has an identifier.
pub(super) fn name_of_patient(members: &Map<String, Value>) -> Option<String> {
    let target = members.get("reference").and_then(Value::as_str).and_then(Reference::parse)?;
    (target.resource_type == ResourceType::Patient).then(|| identified(members, &OF_RESOLVED))?
}

/// Returns the name in a Reference: its `reference` or, without one, its `identifier`.
fn name_of(element: &Value) -> Option<String> {
    let members = element.as_object()?;
    let reference = members.get("reference").and_then(Value::as_str);
    reference.map(str::to_owned).or_else(|| identified(members, &OF_REFERENCE))
}

/// The members of a Reference without `reference`.
pub(super) const OF_REFERENCE: [&str; 5] = ["identifier", "type", "display", "id", "extension"];
pub(super) const OF_RESOLVED: [&str; 6] = ["reference", "identifier", "type", "display", "id", "extension"];

/// Returns the name given by the `identifier` of a Reference that has only `allowed` members. Other elements with an
/// `identifier` have further members, or a list of identifiers.
pub(super) fn identified(members: &Map<String, Value>, allowed: &[&str]) -> Option<String> {
    let identifier = members.get("identifier").and_then(Value::as_object)?;
    if !members.keys().all(|member| allowed.contains(&member.as_str())) {
        return None;
    }
    let part = |name: &str| identifier.get(name).and_then(Value::as_str);
    let resource_type = members.get("type").and_then(Value::as_str).unwrap_or("");
    Some(by_identifier(resource_type, part("system")?, part("value")?))
}
