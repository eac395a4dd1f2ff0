//! Checks of answers of the FHIR interface.

import { bundle } from '#reading/fhir/types.ts';
import { checked } from '#reading/shape.ts';
import type { Exchange } from '../http/exchange.ts';
import { t } from '../language/message.ts';
import { idsOf } from '../search/compare.ts';
import { nextPageOf } from '../search/found-text.ts';
import { BASE } from '../smart/server.ts';
import { no, passIf, type ServerCheck, skip, withToken } from './check.ts';

export const answers: ServerCheck[] = [
  {
    title: 'Pages: links are followed to the end, nothing twice, nothing missing',
    why: 'FHIR paging; the order is stable',
    run: withToken(async (ask, patient) => {
      const ids: string[] = [];
      let pages = 0;
      let total: number | undefined;
      for (
        let next: string | undefined =
          `${BASE}/Observation?patient=${patient}&category=laboratory&_count=60&_total=accurate`;
        next && pages < 12;
        pages += 1
      ) {
        if (!next.startsWith(BASE)) return no(t('A link leads elsewhere: {url}.', { url: next }));
        const answer: Exchange = await ask(next);
        if (answer.status !== 200)
          return answer.status === 401
            ? skip(t('This session may not search laboratory results.'))
            : no(`HTTP ${answer.status}.`);
        const { total: said } = checked(bundle, answer.body, 'the page');
        total = said ?? total;
        ids.push(...idsOf(answer.body).matches);
        next = nextPageOf(answer.body);
      }
      return passIf(
        new Set(ids).size === ids.length && (total === undefined || total === ids.length),
        t('{n} resources on {pages} pages, total {total}.', { n: ids.length, pages, total: total ?? t('not said') }),
        t('{n} ids, {different} different, total {total}.', {
          n: ids.length,
          different: new Set(ids).size,
          total: total ?? t('not said'),
        }),
      );
    }),
  },
];
