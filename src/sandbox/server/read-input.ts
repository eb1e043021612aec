import type { z } from 'zod';
import type { Operation } from '../../contract/operations.ts';
import { opaquePathIds, PathId, takesSeveral } from '../../contract/common.ts';
import { mediaType } from '../../platform/json-type.ts';
import { readMmsRequest } from '../messages/mms-request.ts';
import { readBatchBody, type BatchItem } from '../request/batch-request.ts';
import { invalidParameter, ServiceError, TokenError } from '../request/errors.ts';
import {
  parseBody,
  parseForm,
  parseQuery,
  parseShape,
  unreadMembers,
  type Parsed,
} from '../request/shape.ts';
import type { World } from '../world/world.ts';

/**
 * Errors name a query parameter as a whole, even if only one of its values is invalid. If a parameter for a single
 * value is repeated, the first value is used (docs/internals/service-gaps.md).
 */
function readQuery(schema: z.ZodType, url: URL): Parsed {
  const given = Object.entries(parseQuery(url));
  const fields = Object.fromEntries(
    given.map(([name, value]) => [
      name,
      typeof value === 'string' || takesSeveral(schema, name) ? value : value[0],
    ]),
  );
  const result = schema.safeParse(fields);
  if (!result.success) throw invalidParameter(String(result.error.issues[0]?.path[0] ?? 'query'));
  return { value: result.data, unread: unreadMembers(fields, result.data) };
}

/**
 * Returns the query of an operation according to its schema; without a schema, the raw fields. @throws {ServiceError}
 * CMN-101, naming the parameter.
 */
export function readOperationQuery(world: World, { query, queryMayBeDropped }: Operation, url: URL): Parsed {
  if (query && !(queryMayBeDropped && world.settings.activeCallQueries === 'dropped'))
    return readQuery(query, url);
  const { value, unread } = readNothing(parseQuery(url));
  return { value: query ? {} : value, unread };
}

function readNothing(fields: Readonly<Record<string, unknown>>): Parsed {
  return { value: fields, unread: Object.keys(fields) };
}

const noBody: Parsed = { value: undefined, unread: [] };

/** Returns the body as text; empty for operations that read bytes. */
export function textOf(operation: Operation, request: Request, bytes: Uint8Array): string {
  const isBinary = operation.bodyType === 'multipart' || isEnvelope(operation, request);
  return isBinary ? '' : new TextDecoder().decode(bytes);
}

/** Returns the body of one change, or the items of a body for several IDs. @throws {ServiceError} {TokenError} */
export function readRequestBody(
  operation: Operation,
  request: Request,
  bytes: Uint8Array,
  text: string,
): { readonly body: Parsed; readonly batch: readonly BatchItem[] | undefined } {
  const batch = takesBatch(operation)
    ? readBatchBody(request.headers.get('content-type') ?? '', bytes)
    : undefined;
  if (batch) return { body: noBody, batch };
  rejectOtherTypes(operation, request, text);
  rejectOtherForms(operation, request);
  const body = isEnvelope(operation, request)
    ? readEnvelope(operation, request, bytes)
    : readOperationBody(operation, text);
  return { body, batch };
}

/** Whether the request is a multipart message with files. */
function isEnvelope(operation: Operation, request: Request): boolean {
  return operation.files === true && isMultipart(request);
}

/** Whether a change of several IDs has an item for each of them. */
function takesBatch({ manyIds, body }: Operation): boolean {
  return manyIds !== undefined && body !== undefined;
}

function isMultipart(request: Request): boolean {
  return /^multipart\//i.test(request.headers.get('content-type') ?? '');
}

function readEnvelope({ body }: Operation, request: Request, bytes: Uint8Array): Parsed {
  const { fields } = readMmsRequest(request.headers.get('content-type') ?? '', bytes);
  return body ? parseShape(body, fields) : { value: fields, unread: [] };
}

/**
 * Rejects a body with another media type than JSON, or with another charset than UTF-8 (BASE-36). Without a
 * Content-Type, the body is read as JSON (docs/internals/service-gaps.md).
 */
function rejectOtherTypes({ body, bodyType = 'json' }: Operation, request: Request, text: string): void {
  const header = request.headers.get('content-type');
  if (!body || bodyType !== 'json' || header === null || text.trim() === '') return;
  const type = mediaType(header);
  if (type.toLowerCase() !== 'application/json')
    throw new ServiceError(415, 'CMN-103', `Media type [${type}] is not supported; send application/json`);
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(header) ?? [];
  if (!/^utf-?8$/i.test(charset))
    throw new ServiceError(400, 'CMN-407', 'Header [Content-Type] is invalid: the charset must be UTF-8');
}

/** Rejects a token request whose body is not a form (BASE-21). Without a Content-Type, the body is read as a form. */
function rejectOtherForms({ body, bodyType }: Operation, request: Request): void {
  const type = request.headers.get('content-type');
  if (!body || bodyType !== 'form' || type === null) return;
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return;
  throw new TokenError(
    415,
    'invalid_request',
    'CMN-103',
    'The token endpoint accepts only application/x-www-form-urlencoded',
  );
}

function readOperationBody(operation: Operation, text: string): Parsed {
  if (operation.bodyType === 'form') {
    const fields = parseForm(text);
    return operation.body ? readForm(operation.body, fields) : { value: fields, unread: [] };
  }
  if (!operation.body) return { value: undefined, unread: [] };
  return parseShape(operation.body, operation.bodyOptional && text.trim() === '' ? {} : parseBody(text));
}

/** The token endpoint reports errors in the shape of OAuth. */
function readForm(schema: z.ZodType, fields: Readonly<Record<string, string>>): Parsed {
  try {
    return parseShape(schema, fields);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new TokenError(400, 'invalid_request', 'CMN-101', error.message);
  }
}

/** Checks the form of the IDs in the path. @throws {ServiceError} CMN-101 for an ID with an invalid form. */
export function checkPathParameter(operation: Operation, name: string, value: string): void {
  if (opaquePathIds.has(name)) return;
  const isTaken = (id: string): boolean =>
    name === 'accountId' || name === 'extensionId' ? PathId.safeParse(id).success : /^\d+$/.test(id);
  const isSeveral = operation.manyIds === name;
  // If the path has `*` instead of an ID, the IDs are in the body.
  if (isSeveral && value === '*' && (takesBatch(operation) || operation.idsInBody === true)) return;
  if (!(isSeveral ? value.split(',') : [value]).every(isTaken)) throw invalidParameter(name);
}
