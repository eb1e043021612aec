import { idsPerBody, idsPerPath } from '../contract/limits.ts';
import type { Reply } from './call.ts';
import { invalidParameter, ServiceError } from './errors.ts';

/** The ids that a request names, and whether it names them as several. */
export interface AskedIds {
  readonly ids: readonly number[];
  readonly several: boolean;
}

/**
 * Ids of the path, separated by commas; `*` stands for those of the body (facts 1.1, L240).
 * @throws {ServiceError} CMN-101 for a misplaced `*`, CMN-106 for too many.
 */
export function askedIds(name: string, text: string, inBody?: readonly (string | number)[]): AskedIds {
  if (text === '*') {
    if (!inBody || inBody.length === 0) throw invalidParameter(name, '* needs ids in the body');
    if (inBody.length > idsPerBody) throw tooMany('ids', idsPerBody);
    return { ids: [...new Set(inBody.map(Number))], several: true };
  }
  const parts = text.split(',');
  if (parts.length > idsPerPath) throw tooMany(name, idsPerPath);
  return { ids: [...new Set(parts.map(Number))], several: parts.length > 1 };
}

function tooMany(name: string, most: number): ServiceError {
  const message = `Parameter [${name}] value is invalid: at most ${most} ids are allowed`;
  return new ServiceError(400, 'CMN-106', message, { parameterName: name });
}

/** What became of one id. */
export interface Outcome {
  readonly id: number;
  readonly status: number;
  readonly body?: unknown;
}

/** Does `work` for each id by itself: one that is refused does not stop the others. */
export function eachId(
  ids: readonly number[],
  status: number,
  work: (id: number) => unknown,
): readonly Outcome[] {
  return ids.map((id) => {
    try {
      const body = work(id);
      return { id, status, ...(body !== undefined && { body }) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { id, status: error.status, body: error.body };
    }
  });
}

/** The 207 reply: one record for each id, in the order asked. @param collection address without the id. */
export function multiStatus(collection: string, outcomes: readonly Outcome[]): Reply {
  const json = outcomes.map(({ id, status, body }) => ({
    href: `${collection}/${id}`,
    resourceId: String(id),
    status,
    responseDescription: words[status] ?? 'Bad Request',
    ...(body !== undefined && { body }),
  }));
  return { status: 207, json };
}

const words: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  403: 'Forbidden',
  404: 'Not Found',
};
