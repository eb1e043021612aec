import type { z } from 'zod';
import { BatchBody, BatchIds } from '../../contract/batch.ts';
import { batchContentType, idsPerBody, idsPerPath } from '../../contract/limits.ts';
import { invalidParameter, ServiceError } from './errors.ts';
import { MultipartError, parseMultipart } from './multipart.ts';
import { parseBody, parseShape } from './shape.ts';

/** One item of a body for several IDs, not validated yet. */
export interface BatchItem {
  readonly resourceId: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** One ID with its change. */
export interface Change {
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Reads a body that has an item for each of several IDs; undefined for a body of another type.
 * @throws {ServiceError} CMN-103 or CMN-104 for a body that cannot be read, CMN-101 for a wrong item.
 */
export function readBatchBody(contentType: string, bytes: Uint8Array): readonly BatchItem[] | undefined {
  const items = itemsOf(contentType, bytes);
  if (items === undefined) return undefined;
  const { value } = parseShape(BatchBody, items);
  return (value as z.infer<typeof BatchBody>).map(({ resourceId, body }) => ({ resourceId, body }));
}

function itemsOf(contentType: string, bytes: Uint8Array): unknown {
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  if (type === batchContentType) return parseBody(new TextDecoder().decode(bytes));
  if (type === 'multipart/mixed') return partsOf(contentType, bytes).map((body) => ({ body }));
  return undefined;
}

function partsOf(contentType: string, bytes: Uint8Array): readonly unknown[] {
  try {
    return parseMultipart(contentType, bytes).map(({ content }) =>
      parseBody(new TextDecoder().decode(content)),
    );
  } catch (error) {
    if (!(error instanceof MultipartError)) throw error;
    throw new ServiceError(400, 'CMN-103', `The request body is not valid multipart: ${error.message}`);
  }
}

/**
 * Returns the IDs of a path parameter that accepts several IDs, without repetition.
 * @throws {ServiceError} CMN-106 for more than 50 IDs, CMN-101 for an empty ID and for `*`, which needs a body.
 */
export function idsOf(name: string, text: string): readonly string[] {
  const ids = text.split(',');
  if (ids.length > idsPerPath) throw tooMany(name, idsPerPath);
  if (ids.some((id) => id === '' || id === '*')) throw invalidParameter(name);
  return [...new Set(ids)];
}

/**
 * Returns the IDs of a request that may list them in its JSON body, without repetition. The body is read only if the
 * path contains `*` instead of IDs.
 * @throws {ServiceError} CMN-106 for too many IDs, CMN-101, CMN-103 or CMN-104 for a list that cannot be read.
 */
export function idsOfPathOrBody(name: string, text: string, body: string): readonly string[] {
  if (text !== '*') return idsOf(name, text);
  const ids = (parseShape(BatchIds, parseBody(body)).value as z.infer<typeof BatchIds>).map(String);
  if (ids.length > idsPerBody) throw tooMany(name, idsPerBody);
  return [...new Set(ids)];
}

/**
 * Returns each ID with its change. The items are in the order of the IDs in the path; with `*` in the path, each item
 * names its ID.
 * @throws {ServiceError} CMN-106 for too many IDs, CMN-406 for a repeated ID, CMN-101 if items and IDs do not match.
 */
export function changesOf(
  name: string,
  text: string,
  items: readonly BatchItem[] | undefined,
): readonly Change[] {
  if (!items) {
    throw invalidParameter(
      name,
      'a change of several IDs requires a multipart body with one item for each ID',
    );
  }
  const changes = text === '*' ? namedItems(items) : pairedItems(name, text.split(','), items);
  if (new Set(changes.map(({ id }) => id)).size === changes.length) return changes;
  throw new ServiceError(400, 'CMN-406', `Parameter [${name}] has a duplicate value`, {
    parameterName: name,
  });
}

function namedItems(items: readonly BatchItem[]): readonly Change[] {
  if (items.length > idsPerBody) throw tooMany('resourceId', idsPerBody);
  return items.map(({ resourceId, body }) => {
    if (resourceId === undefined || !/^\d+$/.test(resourceId)) {
      throw invalidParameter('resourceId', 'with * in the path, every item must name its ID');
    }
    return { id: resourceId, body };
  });
}

function pairedItems(name: string, ids: readonly string[], items: readonly BatchItem[]): readonly Change[] {
  if (ids.length > idsPerPath) throw tooMany(name, idsPerPath);
  if (ids.length !== items.length) {
    throw invalidParameter(name, `the path has ${ids.length} IDs, but the body has ${items.length} items`);
  }
  return items.map(({ resourceId, body }, index) => {
    const id = ids[index] ?? '';
    if (resourceId === undefined || resourceId === id) return { id, body };
    throw invalidParameter(
      'resourceId',
      `item ${index + 1} has the ID ${resourceId}, but the path has ${id}`,
    );
  });
}

function tooMany(name: string, most: number): ServiceError {
  const message = `Parameter [${name}] value is invalid: at most ${most} IDs are allowed`;
  return new ServiceError(400, 'CMN-106', message, { parameterName: name });
}
