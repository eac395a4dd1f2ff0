//! The scopes of parts: ranges of compartments, and ranges of rows of a type of the directory. Equal populations have
//! equal scopes, so that exports share parts. All scopes together cover all records.

use serde::{Deserialize, Serialize};

use super::listing::{Listing, digest_of_compartments, digest_of_rows};
use super::selection::Selection;
use fhir::ResourceType;
use smart::is_directory;
use store::names::{BUCKETS, bucket};
use store::shards::numbers_of;

/// The most patients of a part. On average, a part has at least half as many.
const PATIENTS: usize = 32;
/// The number of compartments of resources of no single patient that count as one patient. They are small.
const SHARED_AS_ONE: usize = 32;
/// The number of successive compartment numbers in a scope of a bucket with many compartments.
const SERIALS: i64 = 32;
/// One in this many ids begins a range of rows.
const ROWS: u32 = 1_024;

/// The scope of a part of a job, and the round of the job in which the part was added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartOfExport {
    pub scope: PartScope,
    /// The round. The parts of a later round replace earlier ones with the same scope.
    pub round: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PartScope {
    /// The charts of the compartments with these numbers.
    Charts {
        /// The first number.
        from: i64,
        /// The last number.
        to: i64,
    },
    /// The rows of a type.
    Rows {
        resource_type: String,
        /// The first id.
        from: String,
        /// The first id after the range. `None` for an open range.
        to: Option<String>,
    },
}

impl PartScope {
    /// Returns the digest of the contents of the part in a listing.
    pub fn digest(&self, listing: &Listing, selection: &Selection) -> String {
        match self {
            PartScope::Charts { from, to } => {
                digest_of_compartments(selection, listing.compartments.range(*from..=*to).map(|(_, one)| one))
            }
            PartScope::Rows { resource_type, from, to } => {
                let Some(resource_type) = ResourceType::parse(resource_type) else { return String::new() };
                let first = (resource_type, from.clone());
                let is_in = |id: &String| to.as_ref().is_none_or(|to| id < to);
                let own =
                    listing.rows.range(first..).take_while(|((other, id), _)| *other == resource_type && is_in(id));
                digest_of_rows(selection, resource_type, own.map(|((_, id), digest)| (id.as_str(), digest.as_str())))
            }
        }
    }
}

/// Returns the scopes of all parts for a listed population.
pub fn scopes(listing: &Listing, selection: &Selection) -> Vec<PartScope> {
    let mut scopes = Vec::new();
    if selection.types.iter().any(|of| !is_directory(of.resource_type)) {
        scopes.extend(scopes_of_charts(listing));
    }
    if !selection.is_of_patients {
        let types = selection.types.iter().map(|of| of.resource_type).filter(|of| is_directory(*of));
        types.for_each(|of| scopes.extend(scopes_of_rows(listing, of)));
    }
    scopes
}

fn scopes_of_charts(listing: &Listing) -> Vec<PartScope> {
    let shared = listing.compartments.values().filter(|one| one.id.starts_with('_')).count();
    let patients = listing.compartments.len() - shared;
    let parts = (patients + shared / SHARED_AS_ONE).div_ceil(PATIENTS).next_power_of_two();
    let buckets = BUCKETS as usize;
    if parts <= buckets {
        let width = u32::try_from(buckets / parts).unwrap_or(BUCKETS);
        let firsts = (0..BUCKETS).step_by(width as usize);
        return firsts
            .map(|first| PartScope::Charts { from: numbers_of(first).0, to: numbers_of(first + width - 1).1 })
            .collect();
    }
    let mut scopes = Vec::new();
    for bucket in 0..BUCKETS {
        let (first, last) = numbers_of(bucket);
        let newest = listing.compartments.range(first..=last).next_back().map_or(first, |(n, _)| *n);
        let mut from = first;
        while from + SERIALS <= newest {
            scopes.push(PartScope::Charts { from, to: from + SERIALS - 1 });
            from += SERIALS;
        }
        scopes.push(PartScope::Charts { from, to: last });
    }
    scopes
}

/// Returns the scopes of the rows of a type. A type without rows has none.
pub fn scopes_of_rows(listing: &Listing, resource_type: ResourceType) -> Vec<PartScope> {
    if !listing.has_rows(resource_type) {
        return Vec::new();
    }
    let ids =
        listing.rows.range((resource_type, String::new())..).take_while(|((other, _), _)| *other == resource_type);
    // An id begins a range regardless of its neighbours, so that a new id changes only one range.
    let begins = |id: &&String| bucket(id, ROWS) == 0;
    let mut firsts: Vec<String> = vec![String::new()];
    firsts.extend(ids.map(|((_, id), _)| id).filter(begins).cloned());
    let ends = firsts.iter().skip(1).cloned().map(Some).chain([None]);
    let scope = |(from, to): (&String, Option<String>)| PartScope::Rows {
        resource_type: resource_type.name().to_owned(),
        from: from.clone(),
        to,
    };
    firsts.iter().zip(ends).map(scope).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart_part::Compartment;
    use store::names::bucket;

    fn listing(patients: usize, shared: u32) -> Listing {
        let mut listing = Listing::default();
        let mut serials = vec![0; BUCKETS as usize];
        let ids = (0..patients).map(|at| format!("p{at}")).chain((0..shared).map(|at| format!("_{at}")));
        for id in ids {
            let own = bucket(&id, BUCKETS);
            let n = numbers_of(own).0 + serials[own as usize];
            serials[own as usize] += 1;
            listing.compartments.insert(n, Compartment { n, id, version: 1 });
        }
        listing
    }

    /// Returns the first and last numbers of the scopes, and checks that they cover all numbers without gaps.
    fn ranges(listing: &Listing) -> Vec<(i64, i64)> {
        let ranges: Vec<_> = scopes_of_charts(listing)
            .into_iter()
            .map(|scope| match scope {
                PartScope::Charts { from, to } => (from, to),
                PartScope::Rows { .. } => panic!("{scope:?}"),
            })
            .collect();
        assert_eq!((ranges[0].0, ranges[ranges.len() - 1].1), (0, numbers_of(BUCKETS - 1).1));
        assert!(ranges.windows(2).all(|two| two[0].1 + 1 == two[1].0));
        ranges
    }

    #[test]
    fn parts_have_all_compartments_and_about_as_many_patients_each() {
        assert_eq!(ranges(&listing(0, 0)).len(), 1);
        assert_eq!(ranges(&listing(11, 30)).len(), 1);
        for patients in [1_000, 20_000, 300_000] {
            let listing = listing(patients, 4_096);
            let ranges = ranges(&listing);
            let count = |(from, to): &(i64, i64)| {
                listing.compartments.range(*from..=*to).filter(|(_, one)| !one.id.starts_with('_')).count()
            };
            let most = ranges.iter().map(count).max().unwrap();
            assert!(most <= 2 * PATIENTS + 16, "{patients}: {most} in one of {}", ranges.len());
            assert!(ranges.len() <= 1 + patients / 8, "{patients}: {}", ranges.len());
        }
    }

    #[test]
    fn a_new_row_changes_one_range() {
        let resource_type = ResourceType::Practitioner;
        let mut listing = Listing::default();
        for at in 0..5_000 {
            listing.rows.insert((resource_type, format!("d{at}")), "x".to_owned());
        }
        let before = scopes_of_rows(&listing, resource_type);
        assert!((2..20).contains(&before.len()), "{}", before.len());
        listing.rows.insert((resource_type, "d17-new".to_owned()), "x".to_owned());
        assert_eq!(scopes_of_rows(&listing, resource_type), before);
        assert_eq!(scopes_of_rows(&listing, ResourceType::Organization), []);
    }
}
