//! The reading of access lists, for each store that answers users and clients of which patients may opt out. Lists come
//! from the primary, since a replica may be arbitrarily old and may still list a patient who was removed. An isolate
//! uses a list for at most five seconds after the request for it, and only to permit, never to refuse.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::recent::{Recent, RequestedAt};
use super::{Cost, StoreError};
use chart::evaluate::{AccessList, AccessLists};
use database::{Database, Rows, Statement, run_all};
use fhir::{Id, Reference, ResourceType};
use smart::{AccessRule, PatientList, PatientSet, Permitted};

/// The most patients on a list that is cached.
const LARGEST: usize = 2_000;
/// The most patients on all cached lists. Each list counts as one more.
const MAX: usize = 50_000;

/// The access lists that this isolate read from the primary within the last seconds.
#[derive(Debug, Default)]
pub struct AccessListCache(Recent<Rc<AccessList>, MAX>);

impl AccessListCache {
    /// Forgets all lists, because this isolate may just have changed one.
    pub fn forget(&self) {
        self.0.forget();
    }

    /// Returns a list that was read less than five seconds ago and permits all `wanted` patients. Without `wanted`,
    /// only a list of all patients permits everything that a request may need.
    fn permitting(&self, user: &str, wanted: Option<&[Id]>, now: i64) -> Option<Rc<AccessList>> {
        self.0.get(user, now).filter(|list| match (list.as_ref(), wanted) {
            (AccessList::All, _) => true,
            (AccessList::These(listed), Some(wanted)) => wanted.iter().all(|patient| listed.contains(patient)),
            (AccessList::These(_) | AccessList::AllBut(_), _) => false,
        })
    }

    /// Caches a list of a user, unless it is empty or large.
    fn put(&self, user: &str, list: &Rc<AccessList>, requested: RequestedAt) {
        let patients = match list.as_ref() {
            AccessList::All => 0,
            AccessList::These(patients) if !patients.is_empty() && patients.len() <= LARGEST => patients.len(),
            AccessList::These(_) | AccessList::AllBut(_) => return,
        };
        self.0.put(user, Rc::clone(list), patients + 1, requested);
    }
}

/// The reading of access lists for one call.
#[derive(Debug)]
pub struct AccessListReader<'a, D> {
    primary: D,
    cache: &'a AccessListCache,
    now: i64,
}

impl<'a, D> AccessListReader<'a, D> {
    /// Creates a reader. `primary` is the database in which access lists are written, never a replica of it; `cache` is
    /// the cache of the isolate, and `now` the time of the call in seconds.
    pub const fn new(primary: D, cache: &'a AccessListCache, now: i64) -> Self {
        Self { primary, cache, now }
    }
}

impl<D: Database> AccessListReader<'_, D> {
    /// Reads these lists in one batch, except for cached ones. `wanted` are the patients whom the request names. If it
    /// names none, or a patient who is missing from a cached list, the primary is queried again, so that a patient who
    /// was just added is permitted. The list of a purpose is not cached, so that whoever opts out is hidden at once. It
    /// is read whole, since included resources may belong to others than the `wanted` patients.
    ///
    /// # Errors
    /// If the primary does not answer.
    pub async fn read(&self, names: BTreeSet<&PatientList>, wanted: Option<&[Id]>) -> Result<AccessLists, StoreError> {
        let mut lists = AccessLists::new();
        let mut unknown = Vec::new();
        for name in names {
            let known = match name {
                PatientList::OfUser(user) => self.cache.permitting(user, wanted, self.now),
                PatientList::OfPurpose(_) => None,
            };
            match known {
                Some(list) => _ = lists.insert(name.clone(), list),
                None => unknown.push(name),
            }
        }
        if unknown.is_empty() {
            return Ok(lists);
        }
        let requested = self.cache.0.begin_request(self.now);
        let statements = unknown.iter().map(|name| statement(name)).collect();
        let answers = run_all(&self.primary, statements).await?;
        for (name, rows) in unknown.into_iter().zip(&answers) {
            let list = Rc::new(access_list(name, rows));
            if let PatientList::OfUser(user) = name {
                self.cache.put(user, &list, requested);
            }
            lists.insert(name.clone(), list);
        }
        Ok(lists)
    }
}

/// Returns the id of the patient, if a Patient is read.
pub fn patient_of(permitted: &Permitted<Reference>) -> Option<&[Id]> {
    let reference = permitted.request();
    (reference.resource_type == ResourceType::Patient).then(|| std::slice::from_ref(&reference.id))
}

/// Returns the lists that the rules need.
pub fn lists_of<'a>(rules: impl Iterator<Item = &'a [AccessRule]>) -> BTreeSet<&'a PatientList> {
    let list = |rule: &'a AccessRule| match &rule.patients {
        PatientSet::AccessList(name) => Some(name),
        PatientSet::All | PatientSet::One(_) | PatientSet::Nobody => None,
    };
    rules.flatten().filter_map(list).collect()
}

/// Returns whether each of these access rules reaches the resources of all patients, so that every chart is open.
pub fn reach_all(rules: &[AccessRule], access_lists: &AccessLists) -> bool {
    rules.iter().all(|rule| match &rule.patients {
        PatientSet::All => true,
        PatientSet::One(_) | PatientSet::Nobody => false,
        PatientSet::AccessList(name) => access_lists.get(name).is_some_and(|list| **list == AccessList::All),
    })
}

/// Returns the cost of a search, if it may be disclosed. The cost of resources that the rules do not open would
/// disclose their existence. So no cost is returned if filters select what is open, or for a user who may not see all
/// patients.
pub fn disclosed_cost<'a>(
    cost: Cost,
    rules: impl Iterator<Item = &'a [AccessRule]>,
    access_lists: &AccessLists,
) -> Cost {
    let rules: Vec<_> = rules.collect();
    let is_filtered = rules.iter().copied().flatten().any(|rule| !rule.only.is_empty());
    if !is_filtered && sees_all(rules.into_iter(), access_lists) { cost } else { Cost::Free }
}

/// Returns whether no access list limits what these rules open.
pub fn sees_all<'a>(mut rules: impl Iterator<Item = &'a [AccessRule]>, access_lists: &AccessLists) -> bool {
    let sees_all = |rule: &AccessRule| match &rule.patients {
        PatientSet::AccessList(name) => matches!(access_lists.get(name).map(AsRef::as_ref), Some(AccessList::All)),
        PatientSet::All | PatientSet::One(_) => true,
        PatientSet::Nobody => false,
    };
    rules.all(|rules| rules.iter().all(sees_all))
}

/// Selects the access list of a user, or the patients who have opted out of a purpose.
fn statement(name: &PatientList) -> Statement {
    let (text, name) = match name {
        PatientList::OfUser(user) => ("SELECT a.patient FROM access a WHERE a.user = ?1", user),
        PatientList::OfPurpose(purpose) => ("SELECT o.patient FROM opt_out o WHERE o.purpose = ?1", purpose),
    };
    Statement { text: text.to_owned(), binds: vec![name.clone()] }
}

/// Returns the list in these rows. For a user, the patient `*` means all patients.
fn access_list<R: Rows>(name: &PatientList, rows: &R) -> AccessList {
    let texts = || (0..rows.count()).filter_map(|row| rows.text(row, "patient"));
    let patients: BTreeSet<_> = texts().filter_map(|patient| Id::parse(&patient)).collect();
    match name {
        PatientList::OfUser(_) if texts().any(|patient| patient == "*") => AccessList::All,
        PatientList::OfUser(_) => AccessList::These(patients),
        PatientList::OfPurpose(_) if patients.is_empty() => AccessList::All,
        PatientList::OfPurpose(_) => AccessList::AllBut(patients),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::{Handling, parse};

    fn ids(names: &[&str]) -> Vec<Id> {
        names.iter().filter_map(|name| Id::parse(name)).collect()
    }

    fn list(names: &[&str]) -> Rc<AccessList> {
        Rc::new(AccessList::These(ids(names).into_iter().collect()))
    }

    fn numbered(count: usize) -> Rc<AccessList> {
        let patients = (0..count).filter_map(|number| Id::parse(&number.to_string()));
        Rc::new(AccessList::These(patients.collect()))
    }

    #[test]
    fn a_remembered_list_answers_only_where_it_permits_all_that_is_wanted() {
        let cache = AccessListCache::default();
        let knows = |user: &str, wanted: Option<&[&str]>, now| {
            cache.permitting(user, wanted.map(ids).as_deref(), now).is_some()
        };
        cache.put("dr", &list(&["a", "b"]), cache.0.begin_request(100));
        cache.put("all", &Rc::new(AccessList::All), cache.0.begin_request(100));
        assert!(knows("dr", Some(&["a"]), 104) && knows("dr", Some(&["b", "a"]), 100) && knows("dr", Some(&[]), 100));
        assert!(!knows("dr", Some(&["a", "c"]), 100), "a no is not remembered");
        assert!(!knows("dr", None, 100), "a question about unknown patients may need others");
        assert!(knows("all", Some(&["c"]), 104) && knows("all", None, 104));
        for now in [99, 105] {
            assert!(!knows("dr", Some(&["a"]), now) && !knows("all", None, now), "{now}");
        }
        assert!(!knows("other", Some(&["a"]), 100));
        cache.forget();
        assert!(!knows("dr", Some(&["a"]), 100) && !knows("all", None, 100));
    }

    #[test]
    fn a_search_that_may_not_see_all_tells_no_cost() {
        let cost = Cost::D1 { rows_read: 5, trips: 2 };
        let of_user = |user: &str| PatientList::OfUser(user.to_owned());
        let rule = |patients: PatientSet| [AccessRule { patients, only: Vec::new() }];
        let lists = AccessLists::from([(of_user("all"), Rc::new(AccessList::All)), (of_user("dr"), list(&["a"]))]);
        let of = |patients: PatientSet| disclosed_cost(cost, [&rule(patients)[..]].into_iter(), &lists);
        for patients in
            [PatientSet::All, PatientSet::One(ids(&["a"]).remove(0)), PatientSet::AccessList(of_user("all"))]
        {
            assert_eq!(of(patients), cost);
        }
        for user in ["dr", "unknown"] {
            assert_eq!(of(PatientSet::AccessList(of_user(user))), Cost::Free);
        }
        let pairs = [("status".to_owned(), "final".to_owned())];
        let only = parse(ResourceType::Observation, &pairs, Handling::Strict, "").unwrap().all;
        let filtered = [AccessRule { patients: PatientSet::All, only }];
        assert_eq!(disclosed_cost(cost, [&filtered[..]].into_iter(), &lists), Cost::Free);
    }

    #[test]
    fn empty_and_large_lists_are_not_remembered() {
        let cache = AccessListCache::default();
        for (count, expected) in [(0, false), (1, true), (LARGEST, true), (LARGEST + 1, false)] {
            cache.forget();
            cache.put("dr", &numbered(count), cache.0.begin_request(0));
            assert_eq!(cache.permitting("dr", Some(&[]), 0).is_some(), expected, "{count}");
        }
    }

    #[test]
    fn the_number_of_remembered_patients_is_limited() {
        let cache = AccessListCache::default();
        let patients = numbered(LARGEST);
        let users: Vec<_> = (0..100).map(|user| format!("u{user}")).collect();
        for user in &users {
            cache.put(user, &patients, cache.0.begin_request(0));
        }
        let known = users.iter().filter(|user| cache.permitting(user, Some(&[]), 0).is_some()).count();
        assert!(known >= 1 && known * LARGEST <= MAX, "{known}");
    }
}
