import { FaxEnvelope } from '../../contract/fax.ts';
import { faxBytes } from '../../contract/limits.ts';
import { messageError, ServiceError } from '../request/errors.ts';
import type { FaxDocument } from './documents.ts';
import { MultipartError, parameterOf, parseMultipart, type Part } from '../request/multipart.ts';
import { parseBody, parseShape } from '../request/shape.ts';

/** The content of a multipart fax request. */
interface FaxRequest {
  readonly envelope: FaxEnvelope;
  readonly documents: readonly FaxDocument[];
}

/**
 * Reads a fax in any of its layouts (FAX-3 to FAX-6): flat form fields, a JSON part of any name, or multipart/mixed.
 * The first part of type application/json without a Content-Disposition of a document is the envelope; a part with a
 * file name, or with a name that is not a field name, is a document. If there is an envelope, fields are ignored.
 * @throws {ServiceError} MSG-348 media type, MSG-349 envelope, MSG-350 disposition, MSG-338 size, MSG-352 empty
 * document.
 */
export function readFaxRequest(contentType: string, body: Uint8Array): FaxRequest {
  const parts = takeApart(contentType, body);
  const { json, fields, files } = sortParts(parts, faxFields);
  const documents = files.map(toDocument);
  const size = documents.reduce((sum, document) => sum + document.content.length, 0);
  if (size > faxBytes)
    throw messageError(400, 'MSG-338', 'The documents are larger than 50 MB', 'attachment');
  const given = json === undefined ? readFields(fields) : readJson(json);
  return { envelope: parseShape(FaxEnvelope, given).value as FaxEnvelope, documents };
}

/** Rejects a request without a body, whatever its media type (FAX-12). @throws {ServiceError} MSG-343. */
export function requireBody(body: Uint8Array): void {
  if (body.length === 0) throw new ServiceError(400, 'MSG-343', 'The request body is empty');
}

/** Returns the parts of a multipart body. @throws {ServiceError} MSG-343, MSG-348, MSG-350. */
export function takeApart(contentType: string, body: Uint8Array): readonly Part[] {
  requireBody(body);
  if (!/^multipart\/(form-data|mixed|related)\b/i.test(contentType)) {
    throw new ServiceError(415, 'MSG-348', `Media type [${contentType}] is not supported`);
  }
  try {
    return parseMultipart(contentType, body);
  } catch (error) {
    if (!(error instanceof MultipartError)) throw error;
    throw new ServiceError(400, 'MSG-350', `The multipart body is invalid: ${error.message}`);
  }
}

/** The parts of a body by their purpose. */
interface SortedParts {
  /** The envelope, which contains the fields as JSON; undefined in the layout with form fields. */
  readonly json: Part | undefined;
  readonly fields: readonly Part[];
  readonly files: readonly Part[];
}

/**
 * Finds the envelope, the fields and the files of a body (FAX-6). A part is a file if it has a file name, or if its name
 * is not one of `fieldNames`.
 */
export function sortParts(parts: readonly Part[], fieldNames: ReadonlySet<string>): SortedParts {
  const json = parts.find((part) => isJson(part) && !/^attachments?$/.test(nameOf(part)));
  const rest = parts.filter((part) => part !== json);
  const isFile = (part: Part): boolean =>
    fileNameOf(part) !== undefined || !fieldNames.has(fieldNameOf(part));
  return { json, fields: rest.filter((part) => !isFile(part)), files: rest.filter(isFile) };
}

function isJson(part: Part): boolean {
  return /^application\/json\b/i.test(part.headers['content-type'] ?? '');
}

const faxFields = new Set(['to', 'faxResolution', 'coverIndex', 'coverPageText', 'sendTime', 'isoCode']);

function dispositionOf(part: Part): string {
  return part.headers['content-disposition'] ?? '';
}

function fileNameOf(part: Part): string | undefined {
  return (
    parameterOf(dispositionOf(part), 'filename') ?? parameterOf(part.headers['content-type'] ?? '', 'name')
  );
}

/** Returns the name in the Content-Disposition of a part; empty if there is none. */
function nameOf(part: Part): string {
  return parameterOf(dispositionOf(part), 'name') ?? '';
}

/** Returns the name of a field; some clients number the values of a repeatable field, as in `to[0]`. */
export function fieldNameOf(part: Part): string {
  return nameOf(part).replace(/\[\d*\]$/, '');
}

/** Converts a part to a file. @throws {ServiceError} MSG-352 for an empty part. */
export function toDocument(part: Part, index: number): FaxDocument {
  if (part.content.length === 0) {
    throw messageError(400, 'MSG-352', `Document ${index + 1} is empty`, 'attachment');
  }
  return {
    content: part.content,
    contentType: mediaTypeOf(part),
    fileName: fileNameOf(part) ?? `document-${index + 1}`,
  };
}

/** Returns the media type of a part. Text that cannot be in a header of a reply is not a media type. */
function mediaTypeOf({ headers }: Part): string {
  const type = headers['content-type'] ?? 'text/plain';
  return /^[ -~]+$/.test(type) ? type : 'application/octet-stream';
}

/** Parses the JSON envelope of a fax. @throws {ServiceError} MSG-349. */
export function readJson(part: Part): unknown {
  const text = new TextDecoder().decode(part.content);
  try {
    return parseBody(text);
  } catch {
    throw new ServiceError(400, 'MSG-349', 'The JSON part of the request is not valid', {
      outerCode: 'InvalidParameter',
    });
  }
}

/** Returns the content of a part as trimmed text. */
export function textOf(part: Part): string {
  return new TextDecoder().decode(part.content).trim();
}

function readFields(parts: readonly Part[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const to: unknown[] = [];
  for (const part of parts) {
    const name = fieldNameOf(part);
    const text = textOf(part);
    if (name === 'to') to.push(...partiesOf(text));
    else if (name === 'coverIndex') fields[name] = /^\d+$/.test(text) ? Number(text) : text;
    else if (text !== '') fields[name] = text;
  }
  return { ...fields, to };
}

/** Reads a number, or one or several parties in JSON. */
export function partiesOf(text: string): readonly unknown[] {
  if (!/^[[{]/.test(text)) return [{ phoneNumber: text }];
  return [parseBody(text)].flat();
}
