//! The texts of descriptions in English. They define the texts for which each other language has a file.

mod es;

fhir::texts! {
    category = "category";
    clinical_status = "clinical-status";
    code = "code";
    status = "status";
    kind = "type";
    is = "is";
    has = "has";
    value = "a value";
    any_code_of = "any code of";
    or = " or ";
    nothing = "is something that no resource has";
}
