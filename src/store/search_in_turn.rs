//! Searches of several types that are answered in sequence as one, such as those of `$everything`.

use std::collections::BTreeSet;

use super::chart_source::Attempt;
use super::{Cost, Page};
use search::{Query, Total};
use smart::Permitted;

/// Answers searches in sequence, with the page after `after`. All have the same number of matches on a page, which is
/// also that of the common page. `answer` answers one search.
///
/// The end of a page is the type of a search and, if some of its matches were on the page, a space and the position of
/// the last one.
pub async fn search_in_turn<B>(
    searches: &[Permitted<Query>],
    after: Option<&str>,
    answer: &impl AsyncFn(&Permitted<Query>, Option<&str>) -> Attempt<Page<B>>,
) -> Attempt<Page<B>> {
    let (rest, mut position) = remaining(searches, after);
    let mut total = after.is_none().then_some(0);
    let mut page = Page {
        matches: Vec::new(),
        included: Vec::new(),
        cut: Vec::new(),
        leading_out: BTreeSet::new(),
        page_end: None,
        total: None,
        types: Vec::new(),
        patients: Vec::new(),
        versions: None,
        cost: Cost::default(),
    };
    for permitted in rest {
        let Query { resource_type, count, count_only, .. } = permitted.request();
        let room = count.saturating_sub(page.matches.len());
        // A full page needs one more match, which shows whether there is another page.
        let limited = permitted.limited(room.max(1));
        let found = answer(&limited, position.take()).await?;
        page.cost = found.cost;
        if room == 0 && !count_only {
            if found.matches.is_empty() {
                continue;
            }
            page.page_end = Some(resource_type.to_string());
            break;
        }
        if found.total.is_some_and(|own| own > 0) || !found.matches.is_empty() {
            page.types.push(*resource_type);
        }
        total = total.zip(found.total).map(|(all, own)| all + own);
        page.matches.extend(found.matches);
        page.included.extend(found.included);
        page.cut.extend(found.cut);
        page.leading_out.extend(found.leading_out);
        found.patients.into_iter().for_each(|patient| patient.put(&mut page.patients));
        if let Some(end) = found.page_end {
            page.page_end = Some(format!("{resource_type} {end}"));
            break;
        }
    }
    let is_counted = |permitted: &Permitted<Query>| permitted.request().total != Total::None;
    page.total = total.filter(|_| page.page_end.is_none() && searches.iter().all(is_counted));
    Ok(page)
}

/// Returns the searches with possible matches on the page after `after`, and the position before those of the first.
pub fn remaining<'s, 'a>(
    searches: &'s [Permitted<Query>],
    after: Option<&'a str>,
) -> (&'s [Permitted<Query>], Option<&'a str>) {
    let Some(after) = after else { return (searches, None) };
    let (name, position) = after.split_once(' ').map_or((after, None), |(name, position)| (name, Some(position)));
    let from = searches.iter().position(|permitted| permitted.request().resource_type.name() == name);
    (from.and_then(|from| searches.get(from..)).unwrap_or_default(), position)
}
