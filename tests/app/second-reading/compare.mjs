// Compares facts with the text of a chart's page. Each fact is shown, or covered by a notice, or missing.

import { namesOf, ROWS } from './rows.mjs';
import { count, newTally } from './tally.mjs';
import { hasDate, hasName, hasNumber, plain, typeWords } from './words.mjs';

const entriesOf = (chart) => Object.values(chart.sections).flatMap(({ entries }) => entries);
const isNamed = (text, { names }) => names.length === 0 || hasName(text, names);

/// Returns the parts of a fact that an entry lacks.
function lacking(fact, entry) {
  const text = fact.withGroup ? `${entry.group} ${entry.text}` : entry.text;
  const words = (fact.words ?? []).filter(({ holds }) => !holds(text) && !holds(`${entry.group} ${text}`));
  return [
    ...(hasDate(entry.text, fact.date) ? [] : [`date ${fact.date}`]),
    ...words.map(({ what }) => what),
    ...(fact.isPlain && entry.isFolded ? ['folded away'] : []),
  ];
}

/// Returns the parts of a fact that the best entry of its name lacks, or undefined if there is no such entry.
function best(fact, chart) {
  const within = fact.in ? (chart.sections[fact.in]?.entries ?? []) : entriesOf(chart);
  const found = within.filter((entry) => isNamed(entry.text, fact));
  if (found.length === 0) return undefined;
  return found.map((entry) => lacking(fact, entry)).toSorted((a, b) => a.length - b.length)[0];
}

/// Returns the number of left-out records of a type according to the page's notices, without the strays.
function noticedOf(type, { notices }, strays) {
  const said = [...notices.matchAll(new RegExp(`${typeWords(type)}s? \\(?(\\d[\\d,.]*)`, 'g'))];
  const most = said.reduce((found, [, n]) => Math.max(found, Number(n.replace(/\D/g, ''))), 0);
  return most - strays.filter(({ resource }) => resource.resourceType === type).length;
}

const CHECKS = {
  entry(fact, chart) {
    const lacks = best(fact, chart);
    if (lacks) return lacks.length === 0 ? undefined : `without ${lacks.join(', ')}`;
    if (fact.names.length === 0) return undefined;
    return 'no entry';
  },
  'entry or heading': (fact, chart) =>
    best(fact, chart)?.length === 0 ||
    Object.values(chart.sections).some(({ headings }) => hasName(headings, fact.names))
      ? undefined
      : 'neither an entry nor a heading',
  banner: (fact, { banner, allergyLine }) => {
    if (!hasDate(banner, fact.date)) return `no ${fact.date} in the banner`;
    return isNamed(banner, fact) || /and \d+ more/.test(allergyLine) ? undefined : 'not in the banner';
  },
  // The banner names an allergy that is over only after words that say so.
  'not in banner': (fact, { allergyLine }) =>
    hasName(allergyLine.replace(/coded as resolved or inactive: [^;]*/, ''), fact.names)
      ? 'in the banner as if it were not over'
      : undefined,
  'none known': (_, { sections: { allergies } }) =>
    /no known|none known/.test(allergies?.text ?? '') ? undefined : '"none known" is not said',
  'not asked': (_, { sections: { allergies } }) =>
    /not asked|no information/.test(allergies?.text ?? '') ? undefined : '"not asked" is not said',
  contradiction: (_, { banner, sections: { allergies } }) =>
    /contradict|conflict|disagree/.test(`${banner} ${allergies?.text ?? ''}`)
      ? undefined
      : 'the contradiction is not said',
  'at a glance': (fact, { tiles }) => {
    const tile = tiles[fact.tile];
    if (!tile) return `no tile ${fact.tile}`;
    return tile.hasMore || isNamed(tile.text, fact) || fact.or?.test(tile.text) ? undefined : 'not at a glance';
  },
  // Planned medications are in a separate line that says so.
  'planned at a glance': (fact, { tiles }) => {
    const { planned = '' } = tiles[fact.tile] ?? {};
    return /not ordered.*and \d+ more/.test(planned) || (/^planned/.test(planned) && isNamed(planned, fact))
      ? undefined
      : 'not in the line of what is planned';
  },
  'not at a glance': (fact, { tiles }) =>
    hasName(tiles[fact.tile]?.text ?? '', fact.names) && fact.names.length > 0 ? 'at a glance, and refuted' : undefined,
  'in tile': (fact, { tiles }) => {
    const { text = '', hasMore = false } = tiles[fact.tile] ?? {};
    if (hasMore) return undefined;
    const missing = fact.words.filter(({ holds }) => !holds(text));
    return missing.length === 0 ? undefined : `without ${missing.map(({ what }) => what).join(', ')} at a glance`;
  },
  'no flag': (fact, chart) => {
    const entries = entriesOf(chart).filter(
      (entry) => isNamed(entry.text, fact) && fact.words.every(({ holds }) => holds(entry.text)),
    );
    const flagged = entries.filter(({ flags }) => /high|low|critical|abnormal|above|below/.test(flags));
    return entries.length > 0 && flagged.length === entries.length
      ? `normal, and flagged ${flagged[0].flags}`
      : undefined;
  },
  count: (fact, chart) => {
    const rows = entriesOf(chart).filter((entry) => isNamed(entry.text, fact) && hasDate(entry.text, fact.date)).length;
    return rows >= fact.n ? undefined : `${rows} of ${fact.n} entries`;
  },
  observations: ({ n: all }, chart, strays) => {
    const { sections } = chart;
    const n = all - Math.max(0, noticedOf('Observation', chart, strays));
    const shown = Object.entries(sections)
      .filter(([id]) => ['labs', 'vitals', 'screening'].includes(id) || /observation|finding|result/.test(id))
      .reduce(
        (sum, [id, { count, entries }]) =>
          sum +
          Math.max(
            Number(/^[\d,]+/.exec(count)?.[0].replaceAll(',', '') ?? 0),
            id === 'screening' ? entries.length : 0,
          ),
        0,
      );
    return shown >= n ? undefined : `${shown} of ${n} observations are in sections`;
  },
  type: ({ type, n }, { main }) =>
    main.includes(typeWords(type)) && hasNumber(main, n) ? undefined : `no word of ${n} records of this type`,
};

/// Returns the rows of a section that match no record of its types.
function extras(chart, records, find) {
  return Object.entries(ROWS).flatMap(([id, types]) => {
    const rows = (chart.sections[id]?.entries ?? []).filter(({ isRow, title }) => isRow && title !== '');
    const known = new Set(namesOf(types, records, find).map((name) => plain(name)));
    return rows.map(({ title }) => ({
      kind: `row in ${id}`,
      is:
        known.has(title) ||
        [...known].some((name) => name.includes(title.replace(/…$/, '')) || title.includes(name)) ||
        /not named|without a name|^device$/.test(title)
          ? undefined
          : title,
    }));
  });
}

/// Returns the differences between facts and a page, and the numbers of facts by kind and outcome.
export function compare(facts, chart, { records, find, strays = [] }) {
  const tally = newTally();
  const differences = [];
  // A notice of n records covers at most n records.
  const left = new Map();
  const isNoticed = ({ type, id, n }) => {
    if (type === 'Patient') return false;
    const seen = left.get(type) ?? new Set();
    if (n === undefined) left.set(type, seen.add(id));
    return (n ?? seen.size) <= noticedOf(type, chart, strays);
  };
  for (const fact of facts) {
    const says = CHECKS[fact.is](fact, chart, strays);
    const outcome = says === undefined ? 'shown' : isNoticed(fact) ? 'noticed' : 'missing';
    count(tally, outcome, fact.kind);
    if (outcome === 'missing')
      differences.push({ kind: fact.kind, what: `${fact.type}/${fact.id} ${fact.names[0] ?? ''}`.trim(), says });
  }
  for (const { kind, is } of extras(chart, records, find)) {
    count(tally, is === undefined ? 'shown' : 'missing', kind);
    if (is !== undefined) differences.push({ kind, what: is, says: 'is of no record' });
  }
  return { tally, differences };
}
