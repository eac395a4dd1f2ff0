// Search values: commas separate alternatives, and \, \| \$ \\ stand for the plain character. Any other backslash is
// literal.

// The parts between separators without a preceding backslash. The parts keep their escapes.
export function cut(text, separator) {
  const pieces = [''];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\' && i + 1 < text.length) {
      pieces[pieces.length - 1] += text[i] + text[++i];
    } else if (text[i] === separator) {
      pieces.push('');
    } else {
      pieces[pieces.length - 1] += text[i];
    }
  }
  return pieces;
}

export function alternatives(value) {
  return cut(value, ',').filter((piece) => piece !== '');
}

// The parts before and after the first bar without a preceding backslash: ['code'] or ['system', 'rest'].
export function cutAtBar(value) {
  const [first, ...rest] = cut(value, '|');
  return rest.length === 0 ? [first] : [first, rest.join('|')];
}

export function unescaped(text) {
  return text.replace(/\\([,|$\\])/g, '$1');
}

export function escaped(text) {
  return text.replace(/[,|$\\]/g, '\\$&');
}
