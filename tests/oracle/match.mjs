// Whether a resource matches one parameter of a query. A comma is OR; a repeated parameter is AND, in the caller.

import { dateMatches, parseDateSearch } from './dates.mjs';
import { alternatives, unescaped } from './escapes.mjs';
import { PARAMS } from './params.mjs';
import { canonicalMatches, DEFAULT_BASE, keyOf, parseReferenceSearch, sameReference } from './references.mjs';
import { stringMatches } from './strings.mjs';
import { parseTokenSearch, tokenMatches } from './tokens.mjs';

// A parameter, which is read once -> whether a resource of the type matches it.
// context: {base, index, mayRead(resource)}; only a chain uses the last two.
export function matcher(type, { name, modifier, value }, context = {}) {
  const param = PARAMS[type][name];
  if (!param) throw new Error(`${type} has no parameter ${name}`);
  if (modifier === 'missing') return (resource) => param.present(resource) !== (value === 'true');
  const any = alternatives(value).map((alternative) => matcherOfOne(type, param, modifier, alternative, context));
  const isNegated = modifier === 'not'; // of all values together
  return (resource) => !param.exceptFor?.(resource) && any.some((matchesOne) => matchesOne(resource)) !== isNegated;
}

export const matches = (resource, criterion, context) => matcher(resource.resourceType, criterion, context)(resource);

function matcherOfOne(type, param, modifier, value, context) {
  const base = context.base ?? DEFAULT_BASE;
  const hasFact = (isWanted) => (resource) => param.facts(resource, base).some(isWanted);
  switch (param.kind) {
    case 'id':
      return ({ id }) => id === unescaped(value);
    case 'date': {
      const search = parseDateSearch(value);
      return hasFact((range) => dateMatches(search, range));
    }
    case 'token': {
      const search = parseTokenSearch(value);
      const searches = [search];
      const other = param.alsoFinds?.[search.code?.toLowerCase()]; // recurrance also finds recurrence (decision 11)
      if (other) searches.push({ ...search, code: other });
      return hasFact((token) => searches.some((wanted) => tokenMatches(wanted, token)));
    }
    case 'string': {
      const wanted = unescaped(value);
      return hasFact((element) => stringMatches(modifier, wanted, element));
    }
    case 'reference': {
      const wanted = parseReferenceSearch(unescaped(value), param.targets, base);
      return hasFact((found) => wanted.some((one) => sameReference(one, found)));
    }
    case 'canonical': {
      const wanted = unescaped(value);
      return hasFact((element) => canonicalMatches(wanted, element));
    }
    case 'chain': {
      const matchesTarget = matcherOfOne(param.type, PARAMS[param.type][param.to], modifier, value, context);
      return (resource) =>
        PARAMS[type][param.via]
          .facts(resource, base)
          .map((found) => context.index.byKey.get(keyOf(found)))
          .some((target) => target && context.mayRead(target) && matchesTarget(target));
    }
    default:
      throw new Error(`unknown kind ${param.kind}`);
  }
}
