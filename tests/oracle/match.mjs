// Whether a resource matches one parameter of a query. A comma is OR; a repeated parameter is AND, in the caller.

import { dateMatches, parseDateSearch } from './dates.mjs';
import { alternatives, unescaped } from './escapes.mjs';
import { PARAMS } from './params.mjs';
import { canonicalMatches, DEFAULT_BASE, keyOf, parseReferenceSearch, sameReference } from './references.mjs';
import { stringMatches } from './strings.mjs';
import { parseTokenSearch, tokenMatches } from './tokens.mjs';

// context: {base, index, mayRead(resource)}; only a chain uses the last two.
export function matches(resource, { name, modifier, value }, context = {}) {
  const param = PARAMS[resource.resourceType][name];
  if (!param) throw new Error(`${resource.resourceType} has no parameter ${name}`);
  if (param.exceptFor?.(resource)) return false;
  return alternatives(value).some((alternative) => matchesOne(resource, param, modifier, alternative, context));
}

function matchesOne(resource, param, modifier, value, context) {
  const base = context.base ?? DEFAULT_BASE;
  const facts = () => param.facts(resource, base);
  switch (param.kind) {
    case 'id':
      return resource.id === unescaped(value);
    case 'date': {
      const search = parseDateSearch(value);
      return facts().some((range) => dateMatches(search, range));
    }
    case 'token': {
      const search = parseTokenSearch(value);
      const searches = [search];
      const other = param.alsoFinds?.[search.code?.toLowerCase()]; // recurrance also finds recurrence (decision 11)
      if (other) searches.push({ ...search, code: other });
      return facts().some((token) => searches.some((wanted) => tokenMatches(wanted, token)));
    }
    case 'string':
      return facts().some((element) => stringMatches(modifier, unescaped(value), element));
    case 'reference': {
      const wanted = parseReferenceSearch(unescaped(value), param.targets, base);
      return facts().some((found) => wanted.some((one) => sameReference(one, found)));
    }
    case 'canonical':
      return facts().some((element) => canonicalMatches(unescaped(value), element));
    case 'chain':
      return PARAMS[resource.resourceType][param.via]
        .facts(resource, base)
        .map((found) => context.index.byKey.get(keyOf(found)))
        .some(
          (target) =>
            target &&
            context.mayRead(target) &&
            matchesOne(target, PARAMS[param.type][param.to], modifier, value, context),
        );
    default:
      throw new Error(`unknown kind ${param.kind}`);
  }
}
