//! The errors of the server, with causes and remedies, in English like all descriptions of the interface.

export interface ListedError {
  /** The HTTP status with the code of the issue, or the code of OAuth. */
  status: number;
  code: string;
  cause: string;
  remedy: string;
  /** A request that the server answers with this error. The reader can try it. */
  example?: string;
}

/** Errors of the FHIR endpoints: an OperationOutcome, whose issues have these codes. */
export const FHIR_ERRORS: ListedError[] = [
  {
    status: 400,
    code: 'not-supported',
    cause: 'A parameter, modifier or value of a request is not one that the type has.',
    remedy: 'The diagnostics list what the type takes. `Prefer: handling=lenient` has unknown parameters ignored.',
    example: 'Observation?patient=amara-okafor&colour=red',
  },
  {
    status: 400,
    code: 'not-supported',
    cause: 'FHIR R4 has the parameter, and the records of this server are not indexed by it.',
    remedy: 'The diagnostics name the index and the parameters that it has. The page of the type marks the others.',
  },
  {
    status: 400,
    code: 'value',
    cause: 'A value cannot be read, such as a date without its month in two digits.',
    remedy: 'Write it as the kind of the parameter says; the issue names the parameter.',
    example: 'Observation?patient=amara-okafor&date=2024-1',
  },
  {
    status: 400,
    code: 'required',
    cause: 'A search of patients’ records names no patient, and the token has none.',
    remedy: 'Add `patient`, or what else the diagnostics name.',
    example: 'Observation?category=laboratory',
  },
  {
    status: 401,
    code: 'login',
    cause: 'No token came, or it is not good: wrong issuer, wrong audience, changed, or withdrawn.',
    remedy: 'Send `Authorization: Bearer` with a token of this server. Get another one where it was withdrawn.',
  },
  {
    status: 401,
    code: 'expired',
    cause: 'The token has expired.',
    remedy: 'Use the refresh token, or ask for another access token.',
  },
  {
    status: 401,
    code: 'forbidden',
    cause: 'The token is good, and does not open this: its scopes or its patient are others.',
    remedy: 'WWW-Authenticate names the missing scope. Ask for it at the next launch. RFC 6750 has 403 for this.',
  },
  {
    status: 404,
    code: 'not-found',
    cause: 'There is no such resource, or none within the reach of the token.',
    remedy: 'Search for it. What may not be seen is answered as what does not exist.',
    example: 'Patient/nobody',
  },
  {
    status: 404,
    code: 'not-supported',
    cause: 'There is no such address: a type that FHIR R4 does not have, or a history.',
    remedy: 'The diagnostics list the addresses. Only the current version of a resource is kept.',
    example: 'Pateint?name=okafor',
  },
  {
    status: 405,
    code: 'not-supported',
    cause: 'The address does not take the method: the interface is for reading.',
    remedy: 'The header Allow lists the methods.',
  },
  {
    status: 406,
    code: 'not-supported',
    cause: 'Another format than JSON was asked for.',
    remedy: 'Send `Accept: application/fhir+json`, and no other `_format`.',
    example: 'Patient?_id=amara-okafor&_format=xml',
  },
  {
    status: 413,
    code: 'too-costly',
    cause: 'The body is too long.',
    remedy: 'Split the request.',
  },
  {
    status: 415,
    code: 'not-supported',
    cause: 'The body is of a type that the address does not read.',
    remedy: 'The diagnostics list the types. A search takes a form.',
  },
  {
    status: 429,
    code: 'throttled',
    cause: 'Too many requests came from one network or one client.',
    remedy: 'Wait as long as the header Retry-After says, in seconds.',
  },
  {
    status: 500,
    code: 'exception',
    cause: 'Something broke in the server, or its database did not answer.',
    remedy: 'Try again later, and tell whoever runs the server the header X-Request-Id.',
  },
  {
    status: 503,
    code: 'transient',
    cause: 'A part of the server cannot be used now.',
    remedy: 'Wait as long as the header Retry-After says, in seconds.',
  },
];

/** Errors of the authorization server: JSON with `error` and `error_description`, or the same in a redirect. */
export const OAUTH_ERRORS: ListedError[] = [
  {
    status: 400,
    code: 'invalid_request',
    cause: 'A parameter is missing, comes twice, or cannot be read.',
    remedy: 'The description names it.',
  },
  {
    status: 401,
    code: 'invalid_client',
    cause: 'The client is not known, or it did not prove who it is.',
    remedy: 'Check the id, and the secret or the key with which the assertion is signed.',
  },
  {
    status: 400,
    code: 'invalid_grant',
    cause: 'The code or the refresh token was used before, has expired, or is another client’s.',
    remedy: 'A code is good once, for a minute. Begin another launch.',
  },
  {
    status: 400,
    code: 'unauthorized_client',
    cause: 'The kind of the client may not use this way to a token.',
    remedy: 'People sign in to an app; backend clients act for themselves.',
  },
  {
    status: 400,
    code: 'unsupported_grant_type',
    cause: 'The value of grant_type is not one of those that are offered.',
    remedy: 'The SMART configuration lists them.',
  },
  {
    status: 400,
    code: 'invalid_scope',
    cause: 'The client is approved for none of the scopes.',
    remedy: 'Ask for the scopes of the registration, or have it changed.',
  },
  {
    status: 303,
    code: 'access_denied',
    cause: 'The person declined, or may see no patient.',
    remedy: 'Say what happened, and offer to begin again.',
  },
  {
    status: 303,
    code: 'login_required',
    cause: 'The app asked with prompt=none, and nobody is signed in.',
    remedy: 'Begin a launch that shows pages.',
  },
];
