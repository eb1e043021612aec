/** The kind of a file, detected by its first bytes. */
export type Sniffed = 'audio' | 'pdf' | 'tiff' | 'image' | 'html' | 'json' | 'unknown';

const magics: readonly (readonly [Sniffed, (head: Buffer) => boolean])[] = [
  ['audio', (head) => text(head, 0, 4) === 'RIFF' && text(head, 8, 12) === 'WAVE'],
  [
    'audio',
    (head) => text(head, 0, 3) === 'ID3' || text(head, 0, 4) === 'OggS' || text(head, 0, 4) === 'fLaC',
  ],
  [
    'audio',
    (head) => head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0 && ((head[1] ?? 0) & 0x18) !== 0x08,
  ],
  ['audio', (head) => text(head, 4, 8) === 'ftyp'],
  ['pdf', (head) => text(head, 0, 5) === '%PDF-'],
  ['tiff', (head) => ['II*\0', 'MM\0*'].includes(text(head, 0, 4))],
  ['image', (head) => text(head, 1, 4) === 'PNG' || text(head, 0, 4) === 'GIF8'],
  ['image', (head) => head[0] === 0xff && head[1] === 0xd8],
  ['html', (head) => /^(<!doctype html|<html|<head|<body|<script|<!--)/i.test(start(head))],
  ['json', (head) => /^[{[]\s*["{[\]}]/.test(start(head))],
];

/** Number of bytes that are examined. */
export const sniffBytes = 512;

/** Detects the kind of a file by its first `sniffBytes` bytes. */
export function sniff(head: Buffer): Sniffed {
  return magics.find(([, fits]) => fits(head))?.[0] ?? 'unknown';
}

function text(head: Buffer, from: number, to: number): string {
  return head.toString('latin1', from, to);
}

function start(head: Buffer): string {
  return head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
}

/** Content types of text, which may contain a page or JSON. */
const textual = /^(text\/|application\/(json|xml))/i;

/**
 * Whether the content is a page or an error message instead of a file, such as a sign-in page in place of audio.
 * @param mayBeJson whether JSON is a file, unless it begins as an error body of the service (ERROR-1)
 */
export function isPageInstead(expected: string | undefined, head: Buffer, mayBeJson: boolean): boolean {
  const found = sniff(head);
  if (found === 'json' && mayBeJson) return /^\{\s*"errorCode"\s*:/.test(start(head));
  return !textual.test(expected ?? '') && (found === 'html' || found === 'json');
}

/** Whether the content type of a reply shows that the service sent a page or a JSON error instead of the file. */
export function isPageType(expected: string | undefined, type: string, mayBeJson: boolean): boolean {
  if (textual.test(expected ?? '')) return false;
  return /^text\/html\b/i.test(type) || (!mayBeJson && /^application\/json\b/i.test(type));
}

/** Whether the first bytes contradict the content type. Content of an unknown kind never contradicts it. */
export function isOtherKind(type: string | undefined, found: Sniffed): boolean {
  if (type === undefined || found === 'unknown') return false;
  if (/^audio\//i.test(type)) return found !== 'audio';
  if (/^application\/pdf/i.test(type)) return found !== 'pdf';
  if (/^image\/tiff/i.test(type)) return found !== 'tiff';
  if (/^image\//i.test(type)) return found !== 'image';
  return false;
}
