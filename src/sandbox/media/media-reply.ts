import { createHash } from 'node:crypto';
import type { MediaQuery } from '../../contract/media.ts';
import type { Reply } from '../request/call.ts';
import { ServiceError } from '../request/errors.ts';

/** The content at an address. */
export interface Media {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Time of the last modification in milliseconds since 1970. */
  readonly modifiedAt: number;
  /** Suggested file name, unless the query contains another name. */
  readonly fileName?: string | undefined;
}
/** The parts of a call that determine the reply with media. */
interface MediaCall {
  readonly headers: Headers;
  readonly query: MediaQuery;
  readonly world: { readonly settings: { readonly mediaPartBytes: number } };
}
/** A range of bytes; both its first and its last byte are included. */
interface Range {
  readonly first: number;
  readonly last: number;
}

/** Maximum number of ranges in one request; a request with more ranges is rejected as abuse (RFC 9110, 14.2). */
const mostRanges = 16;
const boundary = 'sandbox-byteranges';

/**
 * Returns the whole content, or one or several ranges of the content (MEDIA-2; RFC 9110, 13.1 and 14), or 304 without
 * content if the client's copy is current. Without a Range, content larger than the setting `mediaPartBytes` is returned
 * with 206 and its first part.
 * @throws {ServiceError} 416 CMN-107 for a range that is malformed or outside the content.
 */
export function mediaReply(call: MediaCall, media: Media): Reply {
  const { bytes } = media;
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
  const lastModified = new Date(media.modifiedAt).toUTCString();
  const headers = {
    'content-type': media.contentType,
    etag,
    'last-modified': lastModified,
    'accept-ranges': 'bytes',
    ...disposition(call.query, media.fileName),
  };
  if (isUnchanged(call.headers, etag, media.modifiedAt))
    return { status: 304, headers: { etag, 'last-modified': lastModified } };
  const ranges = askedRanges(call, bytes.length, (validator) => [etag, lastModified].includes(validator));
  const [only, another] = ranges;
  if (!only) return { headers: withLength(headers, bytes.length), bytes };
  if (another) return severalRanges(headers, media, ranges);
  const part = slice(bytes, only);
  const partial = { ...headers, 'content-range': contentRange(only, bytes.length) };
  return { status: 206, headers: withLength(partial, part.length), bytes: part };
}

/** Whether the copy of the client is current. If-None-Match takes precedence over If-Modified-Since (RFC 9110, 13.2.2). */
function isUnchanged(headers: Headers, etag: string, modifiedAt: number): boolean {
  const tags = headers.get('if-none-match');
  if (tags !== null)
    return tags.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
  const since = Date.parse(headers.get('if-modified-since') ?? '');
  // The header has no fractions of a second. A date that is not valid is ignored.
  return Math.floor(modifiedAt / 1000) * 1000 <= since;
}

/** Returns the requested ranges; an empty list for the whole content. */
function askedRanges(
  call: MediaCall,
  size: number,
  isCurrent: (validator: string) => boolean,
): readonly Range[] {
  const text = call.headers.get('range');
  const validator = call.headers.get('if-range');
  // If the content has changed, the whole content is returned, because a new part would not match the
  // client's part. A weak tag never matches.
  const usable = text !== null && (validator === null || isCurrent(validator.trim()));
  if (usable) return parseRanges(text, size);
  const { mediaPartBytes } = call.world.settings;
  if (text === null && mediaPartBytes > 0 && size > mediaPartBytes) {
    return [{ first: 0, last: mediaPartBytes - 1 }];
  }
  return [];
}

function parseRanges(text: string, size: number): readonly Range[] {
  const [, list] = /^\s*bytes\s*=(.*)$/i.exec(text) ?? [];
  // A Range header with a unit other than bytes is ignored.
  if (list === undefined) return [];
  const specs = list.split(',').map((spec) => spec.trim());
  const ranges = specs.map((spec) => parseRange(spec, size));
  if (ranges.includes('malformed') || specs.length > mostRanges) throw notSatisfiable(size);
  const inside = ranges.filter((range): range is Range => typeof range === 'object');
  if (inside.length === 0) throw notSatisfiable(size);
  return inside;
}

function parseRange(spec: string, size: number): Range | 'malformed' | 'outside' {
  const [, first = '', last = ''] = /^(\d*)\s*-\s*(\d*)$/.exec(spec) ?? [];
  if (first === '' && last === '') return 'malformed';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'outside' : { first: size - length, last: size - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return 'malformed';
  if (Number(first) >= size) return 'outside';
  return { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

function severalRanges(
  headers: Readonly<Record<string, string>>,
  media: Media,
  ranges: readonly Range[],
): Reply {
  const { bytes, contentType } = media;
  const parts = ranges.flatMap((range) => [
    Buffer.from(
      `--${boundary}\r\ncontent-type: ${contentType}\r\ncontent-range: ${contentRange(range, bytes.length)}\r\n\r\n`,
    ),
    slice(bytes, range),
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  const type = `multipart/byteranges; boundary=${boundary}`;
  return { status: 206, headers: withLength({ ...headers, 'content-type': type }, body.length), bytes: body };
}

function slice(bytes: Uint8Array, range: Range): Uint8Array {
  return bytes.subarray(range.first, range.last + 1);
}

function contentRange(range: Range, size: number): string {
  return `bytes ${range.first}-${range.last}/${size}`;
}

function withLength(headers: Readonly<Record<string, string>>, length: number): Record<string, string> {
  return { ...headers, 'content-length': String(length) };
}

/** `filename` is for old clients, `filename*` is exact (RFC 6266). */
function disposition(query: MediaQuery, fileName: string | undefined): Record<string, string> {
  const name = query.contentDispositionFilename ?? fileName;
  if (query.contentDisposition === undefined && query.contentDispositionFilename === undefined) return {};
  const kind = (query.contentDisposition ?? 'Attachment').toLowerCase();
  if (name === undefined) return { 'content-disposition': kind };
  const plain = name.replaceAll(/[^ !#-[\]-~]/g, '_');
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.codePointAt(0)?.toString(16).toUpperCase()}`,
  );
  return { 'content-disposition': `${kind}; filename="${plain}"; filename*=UTF-8''${exact}` };
}

function notSatisfiable(size: number): ServiceError {
  return new ServiceError(416, 'CMN-107', 'Range is not satisfiable', {
    headers: { 'content-range': `bytes */${size}` },
  });
}
