//! The texts of descriptions in English, which define those that each language has a file of.

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
