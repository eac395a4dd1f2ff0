//! The texts in Spanish.

use super::Texts;

pub static TEXTS: Texts = Texts {
    category: "la categoría",
    clinical_status: "el estado clínico",
    code: "el código",
    status: "el estado",
    kind: "el tipo",
    is: "es",
    has: "tiene",
    value: "un valor",
    any_code_of: "cualquier código de",
    or: " o ",
    nothing: "es algo que ningún registro tiene",
};
