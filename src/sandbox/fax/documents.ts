import { faxPages } from '../../contract/limits.ts';
import { messageError } from '../request/errors.ts';
import { countPdfPages, countTiffPages } from './page-count.ts';
import { paginate, writePdf } from './pdf.ts';

/** A document as the client sent it. */
export interface FaxDocument {
  readonly content: Uint8Array;
  readonly contentType: string;
  readonly fileName: string;
}
/** What goes over the line. */
interface RenderedFax {
  readonly content: Uint8Array;
  readonly pages: number;
}
interface Cover {
  readonly index: number;
  readonly text: string | undefined;
  readonly from: string;
  readonly to: readonly string[];
}

type PageLines = readonly (readonly string[])[];

/** With one page more than is allowed nothing further needs to be read. */
const enough = faxPages + 1;

/**
 * Renders documents as one PDF. A PDF that comes alone passes as it is; otherwise texts are set, and a document that is not text
 * becomes one page for each of its own that says what it stands for.
 * @throws {ServiceError} MSG-338 when there are more pages than are allowed; then nothing was rendered.
 */
export function renderFax(documents: readonly FaxDocument[], cover: Cover | undefined): RenderedFax {
  const [only, another] = documents;
  if (only && !another && !cover && kindOf(only) === 'pdf') {
    const count = countPdfPages(only.content, enough);
    checkCount(count);
    return { content: only.content, pages: count };
  }
  const pages: (readonly string[])[] = cover ? [...coverPages(cover)] : [];
  for (const document of documents) {
    checkCount(pages.length + 1);
    pages.push(...documentPages(document));
  }
  checkCount(pages.length);
  return { content: writePdf(pages), pages: pages.length };
}

function checkCount(pages: number): void {
  if (pages <= faxPages) return;
  throw messageError(400, 'MSG-338', `The fax has more than ${faxPages} pages`, 'attachment');
}

/** Pages of one document, as many as matter. */
function documentPages(document: FaxDocument): PageLines {
  const kind = kindOf(document);
  if (kind === 'text') return paginate(new TextDecoder().decode(document.content), enough);
  return Array.from({ length: pageCount(document, kind) }, (_, index) => [
    document.fileName,
    `${document.contentType}, page ${index + 1}`,
  ]);
}

function pageCount(document: FaxDocument, kind: string): number {
  if (kind === 'pdf') return countPdfPages(document.content, enough);
  return kind === 'tiff' ? countTiffPages(document.content, enough) : 1;
}

function coverPages(cover: Cover): PageLines {
  const head = [
    'FAX',
    '',
    `From: ${cover.from}`,
    ...cover.to.map((to) => `To: ${to}`),
    `Cover: ${cover.index}`,
  ];
  return paginate([...head, '', cover.text ?? ''].join('\n'), enough);
}

/** By its first bytes, then by its type: clients send octet-stream for anything. */
function kindOf({ content, contentType }: FaxDocument): 'pdf' | 'tiff' | 'text' | 'other' {
  const start = Buffer.from(content.subarray(0, 5)).toString('latin1');
  if (start === '%PDF-') return 'pdf';
  if (start.startsWith('II*\0') || start.startsWith('MM\0*')) return 'tiff';
  return /^text\//i.test(contentType) ? 'text' : 'other';
}
