import { faxPages } from '../../contract/limits.ts';
import { messageError } from '../request/errors.ts';
import { countPdfPages, countTiffPages } from './page-count.ts';
import { paginate, writePdf } from './pdf.ts';

/** A document of the request. */
export interface FaxDocument {
  readonly content: Uint8Array;
  readonly contentType: string;
  readonly fileName: string;
}
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

/** Pages are counted up to one page above the limit, which is enough to reject the fax. */
const enough = faxPages + 1;

/**
 * Renders documents as one PDF. A single PDF is used unchanged. Otherwise texts are rendered, and every page of any other document is replaced
 * by a page that describes it.
 * @throws {ServiceError} MSG-338 before anything is rendered, if there are too many pages.
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

/** Returns the number of pages of one document, counted up to the limit. */
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

/** Detects the type by the first bytes, then by the content-type, because clients send octet-stream for any file. */
function kindOf({ content, contentType }: FaxDocument): 'pdf' | 'tiff' | 'text' | 'other' {
  const start = Buffer.from(content.subarray(0, 5)).toString('latin1');
  if (start === '%PDF-') return 'pdf';
  if (start.startsWith('II*\0') || start.startsWith('MM\0*')) return 'tiff';
  return /^text\//i.test(contentType) ? 'text' : 'other';
}
