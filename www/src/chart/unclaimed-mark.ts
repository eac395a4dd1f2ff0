//! The mark beside a record that names no patient in its file.

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Resource } from '#reading/fhir/types.ts';
import { unclaimedText } from '#reading/fhir/unclaimed.ts';
import { words } from '../language/language.ts';

export function unclaimedMark(resource: Pick<Resource, 'meta'>): TemplateResult | typeof nothing {
  const text = unclaimedText(words(), resource);
  return text ? html` <span class="tag" data-tone="alert">${text}</span>` : nothing;
}
