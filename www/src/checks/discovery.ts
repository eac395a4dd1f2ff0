//! Checks of the server's descriptions: its configurations, its CapabilityStatement, its keys.

import { anything, isShaped, list, object, partial, record, string } from '#reading/shape.ts';
import { t } from '../language/message.ts';
import { BASE, ORIGIN } from '../smart/server.ts';
import { passIf, type ServerCheck } from './check.ts';

const pkce = partial({ code_challenge_methods_supported: list(string) });
const issued = object({ issuer: string });
const statement = partial({ resourceType: string, fhirVersion: string });

export const discovery: ServerCheck[] = [
  {
    title: 'The SMART configuration names what an app needs',
    why: 'SMART App Launch 2.2, conformance',
    async run(ask) {
      const { status, body } = await ask(`${BASE}/.well-known/smart-configuration`);
      const missing = [
        'issuer',
        'jwks_uri',
        'authorization_endpoint',
        'token_endpoint',
        'revocation_endpoint',
        'capabilities',
        'code_challenge_methods_supported',
      ].filter((name) => !isShaped(record(anything), body) || !(name in body));
      return passIf(
        status === 200 && missing.length === 0,
        t('All there.'),
        t('HTTP {status}, missing: {names}.', { status, names: missing.join(', ') }),
      );
    },
  },
  {
    title: 'PKCE: S256 is offered, plain is not',
    why: 'RFC 7636; SMART forbids plain',
    async run(ask) {
      const { body } = await ask(`${BASE}/.well-known/smart-configuration`);
      const methods = (isShaped(pkce, body) ? body.code_challenge_methods_supported : undefined) ?? [];
      return passIf(
        methods.includes('S256') && !methods.includes('plain'),
        methods.join(', '),
        methods.length > 0 ? t('It offers {methods}.', { methods: methods.join(', ') }) : t('It offers nothing.'),
      );
    },
  },
  {
    title: 'The issuer is one string everywhere',
    why: 'RFC 8414, OpenID Discovery, SMART: compared exactly',
    async run(ask) {
      const documents = [
        `${BASE}/.well-known/smart-configuration`,
        `${ORIGIN}/.well-known/openid-configuration`,
        `${ORIGIN}/.well-known/oauth-authorization-server`,
      ];
      const issuers = await Promise.all(
        documents.map(async (url) => {
          const { body } = await ask(url);
          return isShaped(issued, body) ? body.issuer : undefined;
        }),
      );
      return passIf(
        new Set(issuers).size === 1 && issuers[0] === ORIGIN,
        String(issuers[0]),
        t('They say {issuers}.', { issuers: issuers.join(', ') }),
      );
    },
  },
  {
    title: 'The CapabilityStatement is FHIR R4 and needs no token',
    why: 'FHIR RESTful API, capabilities',
    async run(ask) {
      const { status, body, answerHeaders } = await ask(`${BASE}/metadata`);
      const { resourceType, fhirVersion } = isShaped(statement, body) ? body : {};
      return passIf(
        status === 200 &&
          resourceType === 'CapabilityStatement' &&
          fhirVersion === '4.0.1' &&
          (answerHeaders['content-type'] ?? '').startsWith('application/fhir+json'),
        `FHIR ${fhirVersion}, ${answerHeaders['content-type']}.`,
        `HTTP ${status}, ${resourceType} ${fhirVersion}.`,
      );
    },
  },
];
