//! The state of the dependencies of a deployment, as cached by an isolate.

use std::cell::RefCell;

use fhir::Micros;
use store::Dependency;

/// The microseconds for which the state of the dependencies is cached.
const READINESS_LIFE: Micros = 1_000_000;

/// The state of the dependencies at the last query of an isolate. It is cached because anybody may request the
/// readiness, as often as they like, and a query takes a trip to every database.
#[derive(Debug, Default)]
pub struct Readiness(RefCell<Option<(Micros, Vec<Dependency>)>>);

impl Readiness {
    /// Returns the state, if it was queried within the last second.
    pub(super) fn known(&self, now: Micros) -> Option<Vec<Dependency>> {
        let known = self.0.borrow();
        let (at, all) = known.as_ref()?;
        (0..READINESS_LIFE).contains(&(now - at)).then(|| all.clone())
    }

    /// Caches the state.
    pub(super) fn put(&self, now: Micros, all: &[Dependency]) {
        self.0.replace(Some((now, all.to_vec())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_dependencies_is_known_for_a_second() {
        let (readiness, now) = (Readiness::default(), 1_790_000_000_000_000);
        assert!(readiness.known(now).is_none());
        for checked in [Ok(()), Err("no such host".to_owned())] {
            readiness.put(now, &[Dependency::of("records", checked.clone())]);
            for later in [0, 999_999] {
                let known = readiness.known(now + later).unwrap();
                assert_eq!(known.iter().map(|one| &one.fault).collect::<Vec<_>>(), [&checked.clone().err()]);
            }
            // A clock may be set back.
            assert!([1_000_000, -1].iter().all(|later| readiness.known(now + later).is_none()));
        }
    }
}
