//! The description of the interface, `/openapi.json` (OpenAPI 3.1, <https://spec.openapis.org/oas/v3.1.1>), as far as
//! it is shown: the types with their search parameters, and every operation.

import { own } from '#reading/own.ts';
import {
  anything,
  boolean,
  checked,
  each,
  isShaped,
  list,
  partial,
  record,
  type ShapeValue,
  string,
} from '#reading/shape.ts';
import { askedOnce } from '../../../asked-once.ts';
import { exchange } from '../../../http/send.ts';
import { t } from '../../../language/message.ts';

const METHODS = ['get', 'post', 'put', 'delete', 'head', 'options'] as const;

const schema = partial({
  ...each(string, '$ref', 'description'),
  ...each(list(anything), 'examples', 'enum'),
  type: anything,
  required: list(string),
  properties: record(anything),
});
const parameter = partial({
  ...each(string, '$ref', 'name', 'in', 'description'),
  required: boolean,
  example: anything,
  schema,
});
const content = record(partial({ schema, example: anything }));
const headers = record(partial({ example: string }));
const response = partial({ $ref: string, description: string, headers, content });
const body = partial({ $ref: string, description: string, content });
const operation = partial({
  ...each(string, 'operationId', 'summary', 'description'),
  tags: list(string),
  security: list(record(anything)),
  parameters: list(parameter),
  responses: record(response),
  requestBody: body,
});
const pathItem = partial({ parameters: list(parameter), ...each(operation, ...METHODS) });
const openApi = partial({
  info: partial({ title: string, version: string, description: string }),
  tags: list(partial({ name: string, description: string })),
  paths: record(pathItem),
  components: partial({
    parameters: record(parameter),
    responses: record(response),
    requestBodies: record(body),
    schemas: record(schema),
  }),
});
type OpenApi = ShapeValue<typeof openApi>;
type Schema = ShapeValue<typeof schema>;
type OpenApiContent = ShapeValue<typeof content>;
type OpenApiHeaders = ShapeValue<typeof headers>;

export interface Parameter {
  name: string;
  /** The place in a request: `query`, `path`, `header` or `body`. */
  place: string;
  /** The kind of its values, such as `Token`; `undefined` if the kind has no name. */
  kind: string | undefined;
  description: string;
  required: boolean;
  example: string | undefined;
}

export interface Operation {
  id: string;
  path: string;
  method: string;
  /** The type of the operation; `undefined` for an operation without a type. */
  type: string | undefined;
  summary: string;
  description: string;
  /** True if the server answers it without a token. */
  isOpen: boolean;
  parameters: Parameter[];
  /** The media types of its body. */
  bodies: string[];
  /** The answers: their status, and what they are. */
  answers: [status: string, description: string][];
  /** The members of the answer, if it is JSON. */
  members: Parameter[];
  /** An example of a body, with its media type. */
  body: { type: string; text: string } | undefined;
  /** An example of an answer that the sample cannot give. */
  answer: string | undefined;
}

export interface Api {
  version: string;
  description: string;
  operations: Operation[];
  /** The names of the types, in alphabetical order. */
  types: string[];
  /** What the resources of each type hold. */
  holds: ReadonlyMap<string, string>;
  /** The description of each kind of value. */
  kinds: ReadonlyMap<string, string>;
}

/** Returns the component that an object refers to by `$ref`, or the object itself. */
function followed<T extends { $ref?: string }>(one: T, components: Record<string, T> | undefined): T {
  const name = one.$ref?.split('/').at(-1)?.replaceAll('~1', '/');
  return (name && components ? own(components, name) : undefined) ?? one;
}

const exampleOf = (example: unknown, { examples: [first] = [], enum: values = [] }: Schema): string | undefined => {
  if (example !== undefined) return String(example);
  if (first !== undefined) return String(first);
  return values.length > 0 ? values.join(', ') : undefined;
};

function operationOf(api: OpenApi, path: string, method: (typeof METHODS)[number]): Operation | undefined {
  const item = own(api.paths ?? {}, path);
  const found = item?.[method];
  if (!found) return undefined;
  const { components = {} } = api;
  const parameters = [...(item.parameters ?? []), ...(found.parameters ?? [])].map((one): Parameter => {
    const {
      name = '',
      in: place = '',
      description = '',
      required = false,
      example,
      schema: of = {},
    } = followed(one, components.parameters);
    const kind = of.$ref?.split('/').at(-1);
    const said = description || followed(of, components.schemas).description || '';
    return { name, place, kind, description: said, required, example: exampleOf(example, of) };
  });
  const requested = found.requestBody && followed(found.requestBody, components.requestBodies);
  const forms = Object.values(requested?.content ?? {}).map(({ schema: of = {} }) => followed(of, components.schemas));
  const responses = Object.entries(found.responses ?? {}).map(
    ([status, one]) => [status, followed(one, components.responses)] as const,
  );
  return {
    id: found.operationId ?? `${method} ${path}`,
    path,
    method,
    type: found.tags?.[0],
    summary: found.summary ?? '',
    description: found.description ?? '',
    isOpen: !found.security?.length || found.security.some((one) => Object.keys(one).length === 0),
    parameters: [...parameters, ...forms.flatMap((form) => fieldsOf(form, components.schemas))],
    bodies: Object.keys(requested?.content ?? {}),
    answers: responses.map(([status, { description = '' }]) => [status, description]),
    members: responses
      .filter(([status]) => status === '200')
      .flatMap(([, { content: of = {} }]) => Object.values(of))
      .flatMap(({ schema: of = {} }) => fieldsOf(followed(of, components.schemas), components.schemas)),
    body: bodyOf(requested?.content),
    answer: responses
      .filter(([status]) => Number(status) < 400)
      .map(([status, { headers = {}, content: of }]) => answerOf(status, headers, bodyOf(of)))
      .find((one) => one !== undefined),
  };
}

function bodyOf(content: OpenApiContent = {}): Operation['body'] {
  const [[type, { example }] = ['', { example: undefined }]] = Object.entries(content);
  if (example === undefined) return undefined;
  return { type, text: typeof example === 'string' ? example : JSON.stringify(example, null, 2) };
}

/** Returns an answer with the headers and the body that have examples; `undefined` if none has one. */
function answerOf(status: string, headers: OpenApiHeaders, body: Operation['body']): string | undefined {
  const lines = Object.entries(headers).flatMap(([name, { example }]) => (example ? `${name}: ${example}` : []));
  if (!body && lines.length === 0) return undefined;
  return [`HTTP ${status}`, ...lines, ...(body ? ['', body.text] : [])].join('\n');
}

/** Returns the fields of a form, or the members of an object, as parameters. */
const fieldsOf = ({ properties = {}, required = [] }: Schema, schemas: Record<string, Schema> | undefined) =>
  Object.entries(properties).flatMap(([name, value]): Parameter[] => {
    if (!isShaped(schema, value)) return [];
    const { description = '', type, ...of } = followed(value, schemas);
    const kind = typeof type === 'string' ? type : undefined;
    const example = exampleOf(undefined, of);
    return [{ name, place: 'body', kind, description, required: required.includes(name), example }];
  });

function apiOf(api: OpenApi): Api {
  const operations = Object.keys(api.paths ?? {}).flatMap((path) =>
    METHODS.flatMap((method) => operationOf(api, path, method) ?? []),
  );
  const types = [...new Set(operations.flatMap(({ type }) => type ?? []))].sort();
  const kinds = Object.entries(api.components?.schemas ?? {}).flatMap(([name, { description }]): [string, string][] =>
    description ? [[name, description]] : [],
  );
  return {
    version: api.info?.version ?? '',
    description: api.info?.description ?? '',
    operations,
    types,
    holds: new Map(api.tags?.map(({ name = '', description = '' }) => [name, description])),
    kinds: new Map(kinds),
  };
}

/** Returns the description of the interface of this server. It is fetched once, and again after a failure. */
export const loadApi = askedOnce(async (): Promise<Api> => {
  const { status, body: answer } = await exchange('/openapi.json', { headers: { Accept: 'application/json' } });
  if (status === 0) throw new Error(t('The server is out of reach.'));
  if (status !== 200) throw new Error(t('The server answered {status}.', { status }));
  return apiOf(checked(openApi, answer, 'the description of the interface'));
});
