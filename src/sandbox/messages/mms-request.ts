import { mmsBytes, mmsFiles } from '../../contract/limits.ts';
import { messageError } from '../request/errors.ts';
import type { FaxDocument } from '../fax/documents.ts';
import { isJson, nameOf, readJson, takeApart, textOf, toDocument } from '../fax/fax-request.ts';

/** The content of a text with files. */
export interface MmsRequest {
  /** The members of the JSON body of a text, which are not validated yet. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly FaxDocument[];
}

/**
 * Reads a text with files, in the layouts of a fax (SMS-9): a JSON part, or the fields `from`, `to` and `text`, and a
 * part for each file.
 * @throws {ServiceError} MSG-348 to MSG-352, as for a fax, MSG-337 for too many or too large files.
 */
export function readMmsRequest(contentType: string, body: Uint8Array): MmsRequest {
  const parts = takeApart(contentType, body);
  const json = parts.find((part) => isJson(part) && !/^attachments?$/.test(nameOf(part)));
  const isField = (name: string) => json === undefined && ['from', 'to', 'text'].includes(name);
  const files = parts.filter((part) => part !== json && !isField(nameOf(part))).map(toDocument);
  const size = files.reduce((sum, { content }) => sum + content.length, 0);
  if (files.length > mmsFiles || size > mmsBytes) {
    const allowed = `${mmsFiles} files with a total of ${mmsBytes} bytes`;
    throw messageError(400, 'MSG-337', `The attachments exceed the limit: ${allowed}`, 'attachment');
  }
  const given = json ? readJson(json) : flatFields(parts.filter((part) => isField(nameOf(part))));
  const fields = typeof given === 'object' && given !== null ? given : {};
  // A message with a picture may have no text.
  return { fields: files.length > 0 ? { text: '', ...fields } : { ...fields }, files };
}

function flatFields(parts: ReturnType<typeof takeApart>): Record<string, unknown> {
  const of = (name: string) => parts.filter((part) => nameOf(part) === name).map(textOf);
  const number = (phoneNumber: string) => ({ phoneNumber });
  const [from] = of('from').map(number);
  const [text] = of('text');
  return { to: of('to').map(number), ...(from && { from }), ...(text !== undefined && { text }) };
}
