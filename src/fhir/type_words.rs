//! The names of resource types for people. Each language has a table in `src/fhir/tables/type-words/`.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::{Language, ResourceType};

/// The words of the types by name, from the table of a language.
type Words = HashMap<&'static str, Vec<&'static str>>;

static TABLES: [OnceLock<Option<Words>>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];

impl ResourceType {
    /// Returns the title of the resources of the type in a record: `Orders and Referrals`.
    pub fn title(self, language: Language) -> &'static str {
        self.words(language).get(1).copied().unwrap_or(self.name())
    }

    /// Returns the name of the resources of the type within a sentence for patients: `orders and referrals`.
    pub fn plain_name(self, language: Language) -> String {
        let own = self.words(language).get(2).copied();
        own.map_or_else(|| self.title(language).to_lowercase(), str::to_owned)
    }

    /// Returns the words of the type. A type without words is called by its name.
    fn words(self, language: Language) -> &'static [&'static str] {
        let read = || serde_json::from_str(language.type_words()).ok();
        let table = TABLES.get(language as usize).and_then(|table| table.get_or_init(read).as_ref());
        table.and_then(|table| table.get(self.name())).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_served_type_has_a_title_and_a_plain_name_of_its_own() {
        for language in Language::ALL {
            let served = ResourceType::served();
            let titles: HashSet<_> = served.iter().map(|one| one.title(language)).collect();
            let names: HashSet<_> = served.iter().map(|one| one.plain_name(language)).collect();
            assert_eq!((titles.len(), names.len()), (served.len(), served.len()));
            assert!(served.iter().all(|one| one.title(language) != one.name()), "a type is without words");
        }
    }
}
