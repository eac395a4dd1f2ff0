//! Conversion of a query into the rows of a form, and back. Values stay as typed, and the engine parses them.

export interface QueryParameter {
  name: string;
  value: string;
}

export interface Query {
  type: string;
  parameters: QueryParameter[];
}

export function parseQuery(text: string): Query {
  const at = text.indexOf('?');
  const type = (at < 0 ? text : text.slice(0, at)).trim();
  const rest = at < 0 ? '' : text.slice(at + 1);
  const parameters = rest
    .split('&')
    .filter(Boolean)
    .map((part) => {
      const equals = part.indexOf('=');
      return equals < 0 ? { name: part, value: '' } : { name: part.slice(0, equals), value: part.slice(equals + 1) };
    });
  return { type, parameters };
}

export function formatQuery({ type, parameters }: Query): string {
  const pairs = parameters.map(({ name, value }) => `${name}=${value.replaceAll('&', '%26')}`);
  return pairs.length > 0 ? `${type}?${pairs.join('&')}` : type;
}
