/** One part of a multipart body, with lower-case header names. */
export interface Part {
  readonly headers: Readonly<Record<string, string>>;
  /** The content of the part, without its transfer encoding. */
  readonly content: Uint8Array;
}

/** Maximum number of parts. A fax has at most one document per page, plus its fields. */
const mostParts = 1000;

/** The reason why a multipart body is invalid. */
export class MultipartError extends Error {
  override readonly name = 'MultipartError';
}

/**
 * Parses a multipart body of any subtype, with headers in any order (RFC 2046, 5.1). Accepts bare line feeds.
 * @throws {MultipartError} if the boundary or the end is missing, a part has no headers, or there are too many parts.
 */
export function parseMultipart(contentType: string, body: Uint8Array, most = mostParts): readonly Part[] {
  const boundary = parameterOf(contentType, 'boundary');
  if (boundary === undefined || boundary === '') throw new MultipartError('the boundary is missing');
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const parts: Part[] = [];
  let line = findBoundary(bytes, boundary, 0);
  while (line && !line.isLast) {
    if (parts.length === most) throw new MultipartError(`the body has more than ${most} parts`);
    const next = findBoundary(bytes, boundary, line.end);
    if (!next) throw new MultipartError('the body does not end with the closing boundary');
    parts.push(readPart(bytes.subarray(line.end, next.start)));
    line = next;
  }
  if (!line) throw new MultipartError('the body does not contain the boundary');
  return parts;
}

interface BoundaryLine {
  /** End of the previous part. */
  readonly start: number;
  /** Start of the next part. */
  readonly end: number;
  readonly isLast: boolean;
}

const newline = 10;
const cr = 13;

function findBoundary(bytes: Buffer, boundary: string, from: number): BoundaryLine | undefined {
  const delimiter = Buffer.from(`--${boundary}`);
  for (let at = bytes.indexOf(delimiter, from); at !== -1; at = bytes.indexOf(delimiter, at + 1)) {
    const found = boundaryLine(bytes, at, delimiter.length, from);
    if (found) return found;
  }
  return undefined;
}

/** Finds the next delimiter, which must be a complete line. */
function boundaryLine(bytes: Buffer, at: number, length: number, from: number): BoundaryLine | undefined {
  const startsLine = at === 0 || at === from || bytes[at - 1] === newline;
  if (!startsLine) return undefined;
  const isLast = bytes.subarray(at + length, at + length + 2).toString('latin1') === '--';
  const lineFeed = bytes.indexOf(newline, at + length);
  const end = lineFeed === -1 ? bytes.length : lineFeed;
  const rest = bytes.subarray(at + length + (isLast ? 2 : 0), end).toString('latin1');
  if (!isLast && (lineFeed === -1 || rest.trim() !== '')) return undefined;
  let start = at;
  if (start > from && bytes[start - 1] === newline) start -= 1;
  if (start > from && bytes[start - 1] === cr) start -= 1;
  return { start, end: end + 1, isLast };
}

function readPart(bytes: Buffer): Part {
  const [, gap = ''] = /^(\r?\n)/.exec(bytes.subarray(0, 2).toString('latin1')) ?? [];
  if (gap !== '') return { headers: {}, content: bytes.subarray(gap.length) };
  const crlf = bytes.indexOf('\r\n\r\n');
  const lf = bytes.indexOf('\n\n');
  const useCrlf = crlf !== -1 && (lf === -1 || crlf < lf);
  const end = useCrlf ? crlf : lf;
  if (end === -1) throw new MultipartError('a part has no blank line after its headers');
  const headers = readHeaders(bytes.subarray(0, end).toString('utf8'));
  return { headers, content: decode(headers, bytes.subarray(end + (useCrlf ? 4 : 2))) };
}

/** Decodes content with the Content-Transfer-Encoding of its part (RFC 2045, 6). */
function decode(headers: Part['headers'], content: Buffer): Buffer {
  const encoding = headers['content-transfer-encoding']?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(content.toString('latin1'), 'base64');
  if (encoding !== 'quoted-printable') return content;
  const text = content
    .toString('latin1')
    .replaceAll(/=(?:[ \t]*\r?\n|([\da-f]{2}))/gi, (_, code?: string) =>
      code === undefined ? '' : String.fromCharCode(Number.parseInt(code, 16)),
    );
  return Buffer.from(text, 'latin1');
}

function readHeaders(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of text.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new MultipartError('a part has a malformed header');
    headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
  return headers;
}

/** Returns a parameter of a header such as Content-Disposition: plain, quoted, or encoded (`filename*`, RFC 8187). */
export function parameterOf(header: string, name: string): string | undefined {
  const encoded = new RegExp(`;\\s*${name}\\*\\s*=\\s*utf-8'[^']*'([^;\\s]+)`, 'i').exec(header)?.[1];
  if (encoded !== undefined) return decodeSafely(encoded);
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, 'i').exec(header);
  return found?.[1]?.replaceAll(/\\(.)/g, '$1') ?? found?.[2];
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
