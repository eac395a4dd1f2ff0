//! Relative addresses of attachments in the texts of the engine, which has completed them as a server does.

/** The base that the engine puts before relative addresses of documents, other than those of Binaries. */
const DOCUMENTS = 'https://documents.example.org/';

/**
 * Texts of records with relative addresses of attachments as they are in files. `base`: the FHIR base of the engine.
 */
export const withOwnAddresses = (texts: string, base: string): string =>
  texts.replaceAll(`"url":"${DOCUMENTS}`, '"url":"').replaceAll(`"url":"${base}/Binary/`, '"url":"Binary/');
