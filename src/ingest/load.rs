//! A load: two passes over documents. The first one learns the names that references may use, the second one indexes
//! each resource and stores it, or deletes it. Then the stored resources that depend on the load are indexed again.

use std::fmt::Display;

use super::age::Age;
use super::catalogue::{Catalogue, Chosen, EarlierLoads};
use super::document::{Parsed, ParsedResource, Rejected};
use super::index::{Indexed, Indexer};
use super::owners::Owners;
use crate::fhir::{Micros, Reference, ResourceType};
use crate::store::IndexedResource;

/// A store that a load fills.
pub trait LoadTarget: EarlierLoads {
    /// The reason why it does not accept resources.
    type Error;

    /// Stores a resource. Lookups may find it only after [`Self::flush`].
    ///
    /// # Errors
    /// If the store does not accept it.
    fn store(&mut self, indexed: Indexed) -> Result<Stored, Self::Error>;

    /// Removes a resource that was deleted at that time. Lookups may find it until [`Self::flush`]. Returns whether it
    /// was stored.
    ///
    /// # Errors
    /// If what is stored is damaged.
    fn remove(&mut self, reference: &Reference, at: Micros) -> Result<bool, Self::Error>;

    /// Writes what has been stored.
    ///
    /// # Errors
    /// If the store does not accept it.
    fn flush(&mut self) -> Result<(), Self::Error>;

    /// A stored resource with its facts and owner.
    ///
    /// # Errors
    /// If what is stored is damaged.
    fn indexed(&self, reference: &Reference) -> Result<Option<IndexedResource>, Self::Error>;
}

/// The effect of storing a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// The resource was not stored before.
    New,
    /// The resource was stored with other contents.
    Changed,
    /// The resource was stored with the same contents.
    Same,
}

/// What happens to a resource in a load.
#[derive(Debug)]
pub enum LoadEvent<'a> {
    /// Its type is not served.
    NotServed(String),
    /// It is no resource, or cannot be stored. The text is the reason.
    Fault(String),
    /// Another occurrence in the load counts: the last one, or the newest.
    Repeated,
    /// A newer form of it is stored, and counts.
    Older,
    /// It came before with other contents, at these locations. This occurrence counts.
    Differs(&'a Reference, Vec<String>),
    /// It was deleted. The value is true if it had been stored.
    Deleted(ResourceType, bool),
    /// It was stored.
    Stored {
        /// The type.
        kind: ResourceType,
        /// The effect.
        effect: Stored,
        /// The references that match several resources.
        ambiguous: Vec<String>,
        /// See [`Indexed::unresolved`].
        unresolved: usize,
    },
}

/// Takes each resource of the documents, and each fault, with its location.
pub type Take<'t, E> = dyn FnMut(&dyn Display, Result<Parsed<'_>, Rejected>) -> Result<(), E> + 't;

/// The settings of a load.
#[derive(Debug, Clone, Copy)]
pub struct Load<'a> {
    /// The FHIR base that the data will be served under.
    pub base: &'a str,
    /// The base of relative attachment addresses.
    pub attachments: &'a str,
    /// The time of the load.
    pub now: Micros,
    /// True if a newer form of a resource counts, whether it is stored or comes in the same load. Otherwise the one
    /// that is loaded last counts.
    pub keeps_newer: bool,
}

impl Load<'_> {
    /// Loads documents into a store. `each` is called twice, and gives all resources in the same order each time.
    /// `report` is told what happens to each, and may end the load.
    ///
    /// # Errors
    /// Those of the store, of `each` and of `report`. What was stored before then is incomplete.
    pub fn run<T: LoadTarget, E: From<T::Error>>(
        &self,
        target: &mut T,
        each: &mut dyn FnMut(&mut Take<'_, E>) -> Result<(), E>,
        report: &mut dyn FnMut(&dyn Display, LoadEvent<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut catalogue = Catalogue::default();
        each(&mut |location, taken| match taken {
            Ok(Parsed::Resource(ParsedResource { kind, id, resource, url, .. })) => {
                let reference = Reference { kind, id };
                if self.counts(&mut catalogue, &reference, Age::of(&resource, self.now), target) {
                    catalogue.learn(kind, &reference.id, &resource, url.as_deref(), target);
                } else {
                    catalogue.learn_address(&reference, url.as_deref());
                }
                Ok(())
            }
            Ok(Parsed::Deletion(reference, time)) => {
                let age = Age::of_deletion(time.unwrap_or(self.now));
                if self.counts(&mut catalogue, &reference, age, target) {
                    catalogue.learn_deletion(&reference, target);
                }
                Ok(())
            }
            Err(Rejected::NotServed(kind)) => report(location, LoadEvent::NotServed(kind)),
            Err(Rejected::Fault(reason)) => report(location, LoadEvent::Fault(reason)),
        })?;
        let owners = Owners::compute(&catalogue, target, self.base);
        let mut stale = Catalogue::of_dependents(owners.dependents().clone());
        each(&mut |location, taken| {
            let ParsedResource { kind, id, resource, text, url } = match taken {
                Ok(Parsed::Resource(resource)) => resource,
                Ok(Parsed::Deletion(reference, time)) => {
                    let chosen = match self.keeps_newer {
                        true => catalogue.chosen(&reference),
                        false if catalogue.count_deletion(&reference) => Chosen::This,
                        false => Chosen::Another,
                    };
                    let event = match chosen {
                        Chosen::Stored => LoadEvent::Older,
                        Chosen::Another => LoadEvent::Repeated,
                        Chosen::This => {
                            let was_stored = target.remove(&reference, time.unwrap_or(self.now))?;
                            LoadEvent::Deleted(reference.kind, was_stored)
                        }
                    };
                    return report(location, event);
                }
                Err(_) => return Ok(()),
            };
            let reference = Reference { kind, id };
            let chosen = if self.keeps_newer { catalogue.chosen(&reference) } else { Chosen::This };
            let others = match chosen {
                Chosen::Stored => return report(location, LoadEvent::Older),
                Chosen::Another => None,
                Chosen::This if self.keeps_newer => Some(Vec::new()),
                Chosen::This => catalogue.count_occurrence(&reference, text, &|| location.to_string()),
            };
            let Some(others) = others else { return report(location, LoadEvent::Repeated) };
            if !others.is_empty() {
                report(location, LoadEvent::Differs(&reference, others))?;
            }
            let indexer = self.indexer(&catalogue, &owners, target);
            let indexed = match indexer.index(kind, &reference.id, resource, text, url.as_deref()) {
                Ok(indexed) => indexed,
                Err(error) => {
                    stale.depend(&reference, target);
                    return report(location, LoadEvent::Fault(format!("{reference}: {}", error.0)));
                }
            };
            let (ambiguous, unresolved) = (indexed.ambiguous.clone(), indexed.unresolved);
            let effect = target.store(indexed)?;
            report(location, LoadEvent::Stored { kind, effect, ambiguous, unresolved })
        })?;
        target.flush()?;
        self.index_dependents(&stale, target)?;
        Ok(())
    }

    /// Returns whether an occurrence of a resource counts, unless a later one does.
    fn counts<T: LoadTarget>(&self, catalogue: &mut Catalogue, reference: &Reference, age: Age, target: &T) -> bool {
        let is_outdated = || {
            let stored = target.resource(reference).map(|stored| Age::of(&stored, self.now));
            let stored = stored.or_else(|| target.deleted_at(reference).map(Age::of_deletion));
            stored.is_some_and(|stored| age.is_before(stored))
        };
        !self.keeps_newer || catalogue.offer(reference, age, &is_outdated)
    }

    /// Indexes again the stored resources that depend on those that were loaded, or on those that were rejected.
    fn index_dependents<T: LoadTarget>(&self, stale: &Catalogue, target: &mut T) -> Result<(), T::Error> {
        let owners = Owners::compute(stale, target, self.base);
        for reference in owners.dependents() {
            if let Some(stored) = target.indexed(reference)? {
                let indexed = self.indexer(stale, &owners, target).index_again(stored);
                target.store(indexed)?;
            }
        }
        target.flush()
    }

    const fn indexer<'a, T>(&'a self, catalogue: &'a Catalogue, owners: &'a Owners, earlier: &'a T) -> Indexer<'a, T> {
        Indexer { catalogue, owners, earlier, base: self.base, attachments: self.attachments, now: self.now }
    }
}
