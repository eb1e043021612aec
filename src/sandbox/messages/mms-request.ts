import { mmsBytes, mmsFiles } from '../../contract/limits.ts';
import { messageError } from '../request/errors.ts';
import type { FaxDocument } from '../fax/documents.ts';
import type { Part } from '../request/multipart.ts';
import { parseBody } from '../request/shape.ts';
import {
  fieldNameOf,
  partiesOf,
  readJson,
  sortParts,
  takeApart,
  textOf,
  toDocument,
} from '../fax/fax-request.ts';

/** The content of a text with files. */
export interface MmsRequest {
  /** The members of the JSON body of a text, which are not validated yet. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly FaxDocument[];
}

/**
 * Reads a text with files, in the layouts of a fax (SMS-9): a JSON part, or the fields `from`, `to` and `text`, and a
 * part for each file. As for a fax, a field may contain a number or the JSON of the party.
 * @throws {ServiceError} MSG-348 to MSG-352, as for a fax, MSG-337 for too many or too large files.
 */
export function readMmsRequest(contentType: string, body: Uint8Array): MmsRequest {
  const { json, fields: parts, files: fileParts } = sortParts(takeApart(contentType, body), smsFields);
  const files = fileParts.map(toDocument);
  const size = files.reduce((sum, { content }) => sum + content.length, 0);
  if (files.length > mmsFiles || size > mmsBytes) {
    const allowed = `${mmsFiles} files with a total of ${mmsBytes} bytes`;
    throw messageError(400, 'MSG-337', `The attachments exceed the limit: ${allowed}`, 'attachment');
  }
  const given = json ? readJson(json) : flatFields(parts);
  const fields = typeof given === 'object' && given !== null ? given : {};
  // A message with a picture may have no text.
  return { fields: files.length > 0 ? { text: '', ...fields } : { ...fields }, files };
}

/** The members of the JSON body of a text, which form fields can contain instead. */
const smsFields = new Set(['from', 'to', 'text', 'country']);

function flatFields(parts: readonly Part[]): Record<string, unknown> {
  const of = (name: string) => parts.filter((part) => fieldNameOf(part) === name).map(textOf);
  const [from] = of('from').flatMap(partiesOf);
  const [text] = of('text');
  const [country] = of('country');
  return {
    to: of('to').flatMap(partiesOf),
    ...(from !== undefined && { from }),
    ...(text !== undefined && { text }),
    ...(country !== undefined && { country: membersOf(country) }),
  };
}

/** Reads the JSON of an object in a field; any other text stays unchanged, so that the schema rejects it. */
function membersOf(text: string): unknown {
  return text.startsWith('{') ? parseBody(text) : text;
}
