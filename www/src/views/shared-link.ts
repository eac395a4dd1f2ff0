//! `link.html#shlink:/…`: opens what somebody has shared. The link and its key stay in this page: no request has them.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { checked, list, number, object, string } from '#reading/shape.ts';
import { attempt } from '../error-text.ts';
import { t } from '../language/message.ts';
import { withFields } from '../parts/form.ts';
import { failed, problemNotice } from '../parts/notice.ts';
import { decrypted, type HealthLink, linkIn } from '../smart/health-link.ts';
import type { OpenView } from '../view.ts';
import { handOver } from './files/hand-over.ts';

/** What the request says about who opens the link. */
const recipient = 'edgechart';

const manifest = object({ files: list(object({}, { embedded: string, location: string })) });

/** Returns whether a link leads to the file itself, without a passcode. */
const isDirect = ({ flag = '' }: HealthLink): boolean => flag.includes('U');

/** Fetches the encrypted files of a link. Throws an error in words if the link does not open. */
async function filesOf(link: HealthLink, passcode: string): Promise<string[]> {
  const address = isDirect(link) ? `${link.url}?${new URLSearchParams({ recipient })}` : link.url;
  const request = isDirect(link) ? {} : { method: 'POST', body: JSON.stringify({ recipient, passcode }) };
  const answer = await fetch(address, { ...request, cache: 'no-store', credentials: 'omit' }).catch(() => undefined);
  if (!answer) throw new Error(t('The server is out of reach.'));
  if (answer.status === 401) {
    const { remainingAttempts: n } = checked(object({ remainingAttempts: number }), await answer.json(), 'the answer');
    throw new Error(
      t('This passcode is wrong. {n} attempt is left.|This passcode is wrong. {n} attempts are left.', { n }),
    );
  }
  if (answer.status === 404)
    throw new Error(t('This link opens nothing: it has expired, it was ended, or it never was.'));
  if (!answer.ok) throw new Error(t('The server answered {status}.', { status: answer.status }));
  if (isDirect(link)) return [await answer.text()];
  const { files } = checked(manifest, await answer.json(), 'the manifest');
  const fetched = async (address: string): Promise<string> => (await fetch(address, { credentials: 'omit' })).text();
  return Promise.all(files.map(({ embedded, location }) => embedded ?? (location ? fetched(location) : '')));
}

export const sharedLink: OpenView = () => {
  const link = linkIn(location.hash);
  const problem = signal<string | undefined>(undefined);
  const open = async (one: HealthLink, fields: FormData): Promise<void> => {
    const name = `${one.label ?? t('Shared record')}.json`;
    const sealed = await filesOf(one, `${fields.get('passcode') ?? ''}`);
    const files = sealed.map(async (file) => ({ name, file: new Blob([await decrypted(file, one.key)]) }));
    handOver({ files: await Promise.all(files), leftOut: 0 });
  };
  const form = (one: HealthLink): TemplateResult =>
    html`<p class="lead">${t('Somebody shares health records with you.')}
      ${t('They are decrypted in this tab, and gone when you close it.')}</p>
      <form @submit=${withFields((fields) => attempt(problem, () => open(one, fields)))}>${
        isDirect(one)
          ? nothing
          : html`<div class="fields"><p class="field"><label for="passcode">${t(
              'Passcode, as the person told you',
            )}</label><input id="passcode" name="passcode" required autocomplete="off"></p></div>`
      }<p class="actions"><button class="primary">${t('Open the link')}</button></p></form>`;
  return {
    title: t('Shared record'),
    body: () =>
      html`<h1 tabindex="-1">${link?.label || t('Shared record')}</h1>${
        link
          ? form(link)
          : failed(undefined, t('There is no link in the address of this page, or it was cut off. Copy all of it.'))
      }${problemNotice(problem.value)}`,
  };
};
