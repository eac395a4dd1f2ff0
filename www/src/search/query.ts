//! A query as rows of a form, and back. What is typed stays as typed: reading it is the engine's.

export interface Parameter {
  name: string;
  value: string;
}

export function parametersOf(text: string): { type: string; list: Parameter[] } {
  const at = text.indexOf('?');
  const type = (at < 0 ? text : text.slice(0, at)).trim();
  const rest = at < 0 ? '' : text.slice(at + 1);
  const list = rest
    .split('&')
    .filter(Boolean)
    .map((part) => {
      const equals = part.indexOf('=');
      return equals < 0 ? { name: part, value: '' } : { name: part.slice(0, equals), value: part.slice(equals + 1) };
    });
  return { type, list };
}

export const written = (type: string, list: Parameter[]): string =>
  `${type}${list.length ? '?' : ''}${list.map(({ name, value }) => `${name}=${value.replaceAll('&', '%26')}`).join('&')}`;
