// 'Observation?patient=a&code:x=b' -> {type, params: [{name, modifier, value}]}

export function parseQuery(text) {
  const at = text.indexOf('?');
  if (at === -1) return { type: text, params: [] };
  return { type: text.slice(0, at), params: parseParams(text.slice(at + 1)) };
}

export function parseParams(text) {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      const [key, value] = at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
      const [name, ...rest] = decode(key).split(':');
      return { name, modifier: rest.length ? rest.join(':') : undefined, value: decode(value) };
    });
}

function decode(text) {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
