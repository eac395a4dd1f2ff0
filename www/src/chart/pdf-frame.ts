//! A PDF in place, in the browser's own viewer, and links by which it is opened in a tab. The frame is made when the
//! document is opened, and its address, which only this page's scripts can make, ends with the drawer.

import { html, nothing, type TemplateResult } from 'lit-html';
import { t } from '../language/message.ts';
import { onceDrawerCloses } from '../parts/drawer.ts';

/** A blob of exactly this type: whatever the bytes are, the browser opens them as nothing else. */
const blobOf = (bytes: Uint8Array<ArrayBuffer>): Blob => new Blob([bytes], { type: 'application/pdf' });

/** Returns whether bytes are those of a PDF. */
const isPdf = (bytes: Uint8Array): boolean => String.fromCharCode(...bytes.subarray(0, 4)) === '%PDF';

const frames = new WeakMap<Uint8Array, HTMLIFrameElement>();

/** The frame of a document, made once: a drawer that is drawn again does not load it anew. */
function frameOf(bytes: Uint8Array<ArrayBuffer>, title: string): HTMLIFrameElement {
  const known = frames.get(bytes);
  if (known) return known;
  const url = URL.createObjectURL(blobOf(bytes));
  const frame = Object.assign(document.createElement('iframe'), {
    className: 'document-pdf',
    // The page as wide as the frame, without a list of pages beside it.
    src: `${url}#navpanes=0&view=FitH`,
    title,
  });
  frames.set(bytes, frame);
  onceDrawerCloses(() => {
    frames.delete(bytes);
    URL.revokeObjectURL(url);
  });
  return frame;
}

/** A PDF: in a frame where the browser has a viewer, and with a button that opens it in a tab. */
export function pdfView(bytes: Uint8Array<ArrayBuffer>, title: string): TemplateResult {
  const open = (): void => {
    const url = URL.createObjectURL(blobOf(bytes));
    Object.assign(document.createElement('a'), { href: url, target: '_blank', rel: 'noopener' }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  const hasViewer = navigator.pdfViewerEnabled && isPdf(bytes);
  return html`<p class="actions"><button type="button" @click=${open}>${t('Open the PDF in a new tab')}</button>
    <span class="aside">${t('It is opened from this page, and nothing is sent.')}</span></p>
    ${hasViewer ? frameOf(bytes, t('PDF: {title}', { title })) : nothing}`;
}
