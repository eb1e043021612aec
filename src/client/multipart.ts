import { createHash } from 'node:crypto';
import type { FaxEnvelope } from '../contract/fax.ts';
import { stringifyJson } from '../platform/json.ts';
import type { StreamBody } from './http.ts';

/** A document of a fax, wherever it is. */
export interface FaxDocument {
  readonly fileName: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Its bytes; asked again when a request that did not arrive is sent again. */
  open(): AsyncIterable<Uint8Array>;
}

/**
 * The body of a fax: a JSON part with the envelope, then the documents unchanged (FAX-4).
 * Its boundary follows from what is sent: the same fax gives the same bytes.
 */
export function faxBody(
  envelope: FaxEnvelope,
  documents: readonly FaxDocument[],
): { readonly contentType: string; readonly body: StreamBody } {
  const about = documents.map(({ fileName, contentType, size }) => ({ fileName, contentType, size }));
  const json = stringifyJson(envelope);
  const boundary = `ucctl-${createHash('sha256').update(json).update(stringifyJson(about)).digest('hex').slice(0, 40)}`;
  const head = partHead(boundary, {
    disposition: 'form-data; name="json"; filename="request.json"',
    type: 'application/json',
  });
  const heads = documents.map(({ fileName, contentType }) =>
    partHead(boundary, {
      disposition: `form-data; name="attachment"; ${fileNameParameters(fileName)}`,
      type: contentType,
    }),
  );
  const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');
  const start = bytes(`${head}${json}\r\n`);
  const end = bytes(`--${boundary}--\r\n`);
  const lineBreak = bytes('\r\n');
  const size =
    start.length +
    end.length +
    documents.reduce((sum, document, index) => sum + bytes(heads[index] ?? '').length + document.size + 2, 0);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: {
      size,
      summary: { ...envelope, attachments: about },
      shown: [
        head,
        `${json}\r\n`,
        ...documents.map(({ size: bytesOfIt }, index) => `${heads[index] ?? ''}(${bytesOfIt} bytes)\r\n`),
        `--${boundary}--\r\n`,
      ].join(''),
      async *open() {
        yield start;
        for (const [index, document] of documents.entries()) {
          yield bytes(heads[index] ?? '');
          yield* document.open();
          yield lineBreak;
        }
        yield end;
      },
    },
  };
}

function partHead(boundary: string, part: { readonly disposition: string; readonly type: string }): string {
  return `--${boundary}\r\nContent-Disposition: ${part.disposition}\r\nContent-Type: ${part.type}\r\n\r\n`;
}

/** Plain for ASCII; other names also encoded (RFC 8187). A quote or a line break in a name must not end its header. */
function fileNameParameters(name: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must go
  const plain = name.replaceAll(/[\u0000-\u001F\u007F"\\]/g, '_');
  const ascii = plain.replaceAll(/[^\u0020-\u007E]/g, '_');
  if (ascii === plain) return `filename="${ascii}"`;
  const encoded = encodeURIComponent(plain.replaceAll(/[\uD800-\uDFFF]/gu, '_')).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
