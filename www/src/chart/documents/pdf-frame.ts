//! A PDF in the browser's own viewer, with a button that opens it in a tab. The frame is made when the document is
//! opened. Its blob address, which only scripts of this page can create, is revoked when the drawer closes.

import { html, nothing, type TemplateResult } from 'lit-html';
import { t } from '../../language/message.ts';
import { onceDrawerCloses } from '../../parts/drawer.ts';

/** Returns a blob with the type of a PDF: whatever the bytes are, the browser opens them as nothing else. */
const blobOf = (bytes: Uint8Array<ArrayBuffer>): Blob => new Blob([bytes], { type: 'application/pdf' });

const frames = new WeakMap<Uint8Array, HTMLIFrameElement>();

/** Returns the frame of a document, made once: a redrawn drawer does not load the document again. */
function frameOf(bytes: Uint8Array<ArrayBuffer>, title: string): HTMLIFrameElement {
  const known = frames.get(bytes);
  if (known) return known;
  const url = URL.createObjectURL(blobOf(bytes));
  const frame = Object.assign(document.createElement('iframe'), {
    className: 'document-pdf',
    // Fits the page to the width of the frame and hides the list of pages.
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

/** Draws a PDF in a frame if the browser has a viewer, and a button that opens it in a tab. */
export function pdfView(bytes: Uint8Array<ArrayBuffer>, title: string): TemplateResult {
  const open = (): void => {
    const url = URL.createObjectURL(blobOf(bytes));
    Object.assign(document.createElement('a'), { href: url, target: '_blank', rel: 'noopener' }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  const hasViewer = navigator.pdfViewerEnabled && String.fromCharCode(...bytes.subarray(0, 4)) === '%PDF';
  return html`<p class="actions"><button type="button" @click=${open}>${t('Open the PDF in a new tab')}</button>
    <span class="aside">${t('It is opened from this page, and nothing is sent.')}</span></p>
    ${hasViewer ? frameOf(bytes, t('PDF: {title}', { title })) : nothing}`;
}
