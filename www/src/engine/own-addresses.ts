//! Restores relative URLs of attachments, which the engine makes absolute as a server does.

/** The base that the engine puts before relative URLs of documents other than Binaries. */
const DOCUMENTS = 'https://documents.example.org/';

/** Returns the texts of records with the relative URLs of the files. `base` is the FHIR base of the engine. */
export const withOwnAddresses = (texts: string, base: string): string =>
  texts.replaceAll(`"url":"${DOCUMENTS}`, '"url":"').replaceAll(`"url":"${base}/Binary/`, '"url":"Binary/');
