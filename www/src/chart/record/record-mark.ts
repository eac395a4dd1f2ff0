//! The mark beside the name of a record that is no plain fact, whatever its status: its meaning is changed by something
//! not understood, or it names no patient in its file.

import { html, nothing, type TemplateResult } from 'lit-html';
import { modifierText } from '#reading/fhir/certainty.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { unclaimedText } from '#reading/fhir/unclaimed.ts';
import { words } from '../../language/language.ts';

/** The mark of a record. Statuses are told apart, by the rows that show it. `told`: the words beside it. */
export const recordMark = (resource: Resource, told = ''): (TemplateResult | typeof nothing)[] =>
  [modifierText(words(), resource), unclaimedText(words(), resource)].map((text) =>
    text && !told.includes(text) ? html` <span class="tag" data-tone="alert">${text}</span>` : nothing,
  );
