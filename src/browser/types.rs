//! The types of passed values in TypeScript: the part of the module's `.d.ts` that wasm-bindgen cannot write.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** An OperationOutcome (https://hl7.org/fhir/R4/operationoutcome.html). Every refusal is thrown as one. */
export interface OperationOutcome {
  resourceType: "OperationOutcome";
  issue: {
    severity: "error" | "warning";
    /** https://hl7.org/fhir/R4/valueset-issue-type.html */
    code: string;
    /** A sentence for people. */
    details: { text: string };
    /** Further details for developers. */
    diagnostics?: string;
    /** The parameter with the fault, such as `http.date`. */
    expression?: string[];
  }[];
}

/** The contents of a token, which decide what is open. */
export interface Grant {
  /** Scopes of SMART v1 or v2, separated by spaces. */
  scopes: string;
  /** The patient in context. Without one, `patient/` scopes open nothing. */
  patient?: string;
  /** The patients whom the user may see. Without them there is no user, and `user/` scopes open nothing. */
  patients?: string[] | "all";
  /** The resource of the user, such as `Practitioner/x`. The scope `fhirUser` opens its read. */
  fhirUser?: string;
  /** The client of the token. Links to further pages work for this client alone. */
  client?: string;
  /** The parameters by which searches find, as on a server: `us-core` for those of US Core, else all of R4. */
  index?: string;
}

/** The result of a load. */
export interface LoadReport {
  /** The number of resources that were loaded. */
  resources: number;
  /** The rejected parts: their location, such as `line 3, Bundle.entry[1]`, and the reason. */
  refused: { where: string; why: string }[];
  /** The number of resources of each type that is not served. */
  unserved: Record<string, number>;
  /** The number of references that stay as they are, because their target is unknown or ambiguous. */
  unresolved: number;
  /** The forms of resources that do not count, or that replaced or deleted an earlier one, with their location. */
  replaced: { where: string; why: "older" | "changed" | "deleted" }[];
}

/** One scope of a list. */
export interface ScopeLine {
  /** The scope, as written. */
  scope: string;
  /** A description for patients, without a full stop, in the language that was asked for. */
  says: string;
  /** The reason if it is invalid, in English. A server refuses the whole list for it. */
  refused?: string;
}

/** The access to resources of a type by an action. */
export interface Cell {
  /** True if any scope opens them. */
  open: boolean;
  /** The scopes that open them. */
  by: string[];
  /** If only some of them are open: the conditions, of which one must hold. */
  narrowed?: string[];
  /** The reason if no scope opens them. */
  why?: string;
}

/** The access to one type that a list of scopes opens. */
export interface ScopeRow {
  type: string;
  /** Reading by id. */
  read: Cell;
  /** Searching, and being included with the matches of a search. */
  search: Cell;
}

/** The explanation of a query. */
export interface Explanation {
  /** The type that is searched, or the empty string if there is no such type. */
  type: string;
  /** The conditions, all of which a match must satisfy. */
  criteria: {
    /** The search parameter, or `scope` for a condition of the scopes. */
    param: string;
    /** `token`, `date`, `string` or `reference`, or `grant` for a condition of the scopes. */
    kind: string;
    says: string;
    /** True if the condition is the grant's and not the query's. */
    added?: boolean;
  }[];
  /** The includes. */
  includes: {
    /** The include, such as `MedicationRequest:medication`. */
    include: string;
    /** The type that it adds. */
    brings: string;
    /** True for `_revinclude`. */
    reverse?: boolean;
    says: string;
    /** True if it is left out, because no scope opens it. */
    leftOut?: boolean;
  }[];
  /** The order of the matches. */
  order: string;
  /** The reason if there is no answer. The other members then hold what was understood before. */
  refused?: OperationOutcome;
}

/** A record that was found by its words. */
export interface Finding {
  /** `Type/id`. */
  address: string;
  /** The element with the first of the words, such as `code` or `note`. */
  element: string;
  /** The text of the element. */
  text: string;
}

/** One check of a token, with its result. */
export interface Check {
  /** `form`, `algorithm`, `critical`, `type`, `key`, `signature`, `issuer`, `audience`, `begins` or `ends`. */
  check: string;
  ok: boolean;
  /** A description of the result. */
  says: string;
}
"#;
