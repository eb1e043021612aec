import { createHash } from 'node:crypto';
import { stringifyJson } from '../platform/json.ts';
import { percentEncodedName } from '../platform/percent-encoded-name.ts';
import type { StreamBody } from './http.ts';

/** A document of a fax, or a file of a text. */
export interface FaxDocument {
  readonly fileName: string;
  readonly contentType: string;
  /** Size of the document in bytes. */
  readonly size: number;
  /** Yields the bytes of the document; called again for each retry. */
  open(): AsyncIterable<Uint8Array>;
}

/**
 * Returns the multipart body of a fax or a text with files: a JSON part with the envelope, then the documents unchanged
 * (FAX-4, SMS-9). The boundary is a hash of the content, so the same message gives the same bytes.
 */
export function multipartBody(
  envelope: object,
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
        ...documents.map(
          ({ size: documentSize }, index) => `${heads[index] ?? ''}(${documentSize} bytes)\r\n`,
        ),
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

/**
 * Returns the file name parameters of a part header. A name with non-ASCII characters is also encoded (RFC 8187).
 * Quotes and control characters are replaced, because they would break the header.
 */
function fileNameParameters(name: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are replaced here
  const plain = name.replaceAll(/[\u0000-\u001F\u007F"\\]/g, '_');
  const ascii = plain.replaceAll(/[^\u0020-\u007E]/g, '_');
  if (ascii === plain) return `filename="${ascii}"`;
  return `filename="${ascii}"; filename*=UTF-8''${percentEncodedName(plain)}`;
}
