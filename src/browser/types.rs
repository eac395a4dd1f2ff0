//! The shapes of what crosses, in TypeScript: the part of the module's `.d.ts` that wasm-bindgen cannot write.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** An OperationOutcome (https://hl7.org/fhir/R4/operationoutcome.html): what every refusal is thrown as. */
export interface OperationOutcome {
  resourceType: "OperationOutcome";
  issue: {
    severity: "error" | "warning";
    /** https://hl7.org/fhir/R4/valueset-issue-type.html */
    code: string;
    /** A sentence for people. */
    details: { text: string };
    /** What a developer wants to know beside it. */
    diagnostics?: string;
    /** The parameter that it is about: `http.date`. */
    expression?: string[];
  }[];
}

/** On what authority something is asked: what a token says. */
export interface Grant {
  /** Blank-separated, SMART v1 or v2. */
  scopes: string;
  /** The patient in context. Without one, `patient/` scopes open nothing. */
  patient?: string;
  /** Whom the user may see. Without it there is no user, and `user/` scopes open nothing. */
  patients?: string[] | "all";
  /** The resource of the user, `Practitioner/x`: the scope `fhirUser` opens its read. */
  fhirUser?: string;
  /** The client that holds it. Links to further pages work for it alone. */
  client?: string;
}

/** What a load did. */
export interface LoadReport {
  /** Resources that were loaded. */
  resources: number;
  /** What could not be taken: `line 3`, or `line 3, Bundle.entry[1]`, and why. */
  refused: { where: string; why: string }[];
  /** Resources of types that are not served, by type. */
  unserved: Record<string, number>;
  /** References that stay as they are: to nothing that is known here, or to several resources at once. */
  unresolved: number;
}

/** What one scope of a list means. */
export interface ScopeLine {
  /** The scope, as written. */
  scope: string;
  /** What it allows, in words that a patient understands; without a full stop. */
  says: string;
  /** Why it is none. A server refuses the whole list for it. */
  refused?: string;
}

/** Whether resources of a type are open for an action. */
export interface Cell {
  /** Whether any scope opens them. */
  open: boolean;
  /** The scopes that do. */
  by: string[];
  /** Where they open a part of them alone: the conditions, of which one must hold. */
  narrowed?: string[];
  /** Why none opens them. */
  why?: string;
}

/** What a list of scopes opens of one type. */
export interface ScopeRow {
  type: string;
  /** Reading by id. */
  read: Cell;
  /** Searching, and coming with another search's matches. */
  search: Cell;
}

/** How a query is understood. */
export interface Explanation {
  /** The type that is searched; empty where there is none of that name. */
  type: string;
  /** What a resource must satisfy: all of it. */
  criteria: {
    /** The search parameter; `scope` for what the scopes ask. */
    param: string;
    /** `token`, `date`, `string` or `reference`; `grant` for what the scopes ask. */
    kind: string;
    says: string;
    /** The query did not ask it, the grant does. */
    added?: boolean;
  }[];
  /** What comes with the matches. */
  includes: {
    /** `MedicationRequest:medication` */
    include: string;
    /** The type that it adds. */
    brings: string;
    /** Asked for by `_revinclude`. */
    reverse?: boolean;
    says: string;
    /** No scope opens it, so it is left out. */
    leftOut?: boolean;
  }[];
  /** In which order the matches come. */
  order: string;
  /** Why there is no answer. What was understood until then stands beside it. */
  refused?: OperationOutcome;
  /** The statement that it becomes on D1. */
  statement?: { text: string; binds: (string | number)[] };
}

/** One check of a token, and how it went. */
export interface Check {
  /** `form`, `algorithm`, `critical`, `type`, `key`, `signature`, `issuer`, `audience`, `begins` or `ends`. */
  check: string;
  ok: boolean;
  /** What was found. */
  says: string;
}
"#;
