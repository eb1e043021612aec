import { batchContentType, idsPerPath } from '../contract/limits.ts';
import { isJsonObject, stringifyJson } from '../platform/json.ts';
import {
  answersIn,
  isDone,
  namedByExtension,
  readBatchReply,
  type BatchAnswer,
  type BatchAsked,
} from './batch-reply.ts';
import type { Call, QueryValue, RequestOptions } from './call.ts';
import { ReplyError } from '../errors/service.ts';
import type { ReplyShape } from './shapes/shape.ts';
import { path } from './path.ts';
import type { Transport } from './transport.ts';

/** The result for one ID of a multi-ID request. */
export interface BatchOutcome<T> {
  readonly id: string;
  /** HTTP status; undefined if the reply does not name the ID, so that its outcome is unknown. */
  readonly status: number | undefined;
  /** The record, if the reply contains it. */
  readonly record: T | undefined;
  /** The service's message for a rejection. */
  readonly reason: string | undefined;
  /** The service's error code for a rejection. */
  readonly code: string | undefined;
}

/** A request for several IDs of a collection. */
export interface BatchRequest {
  readonly method: Call['method'];
  /** Path of the collection; the IDs are appended as one segment. */
  readonly collection: string;
  /** Path after the IDs, such as `/presence`. */
  readonly suffix?: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** The body, which is the same for every ID. */
  readonly change?: object | undefined;
  /** When the request is retried; by default by its method, as for other requests. */
  readonly resend?: Call['resend'];
  /** Recipients of the faxes that the request sends; as in `Call`. */
  readonly faxTo?: Call['faxTo'];
  /** How the reply identifies a record. Default: by its `id`. */
  readonly namedBy?: 'extension';
  /** The shape of a record in the reply. */
  readonly shape: ReplyShape;
}

/**
 * Returns the call of a multi-ID request. Up to 50 IDs are in the path, and the body lists one item for each in the
 * same order. More IDs are in the body, with `*` in the path.
 */
function batchCall(request: BatchRequest, ids: readonly string[]): Call {
  const { method, collection, suffix = '', query, change, resend, faxTo } = request;
  const isInPath = ids.length <= idsPerPath;
  const segment = isInPath ? ids.map((id) => path`${id}`).join(',') : '*';
  const items = ids.map((id) => ({ ...(!isInPath && { resourceId: id }), body: change }));
  return {
    method,
    path: `${collection}/${segment}${suffix}`,
    query,
    resend,
    faxTo,
    ...(change && { body: stringifyJson(items), contentType: batchContentType }),
  };
}

/**
 * Sends one multi-ID request and returns the result for each ID, in order. The outcome of an ID that the reply does not
 * name is unknown, except after 204 to a DELETE, which means success for all.
 * @throws {ReplyError} for an unreadable reply to a GET. @throws the errors of `Transport.send` if the whole request
 * fails.
 */
export async function sendBatch<T>(
  transport: Transport,
  request: BatchRequest,
  ids: readonly string[],
  options?: RequestOptions,
): Promise<readonly BatchOutcome<T>[]> {
  const call = batchCall(request, ids);
  const reply = await transport.sendForText(call, options);
  const { status } = reply;
  if (call.method === 'DELETE' && status === 204) {
    return ids.map((id) => ({ ...unanswered(id), status }));
  }
  const answers = readBatchReply(reply, askedOf(request));
  if (!answers && call.method === 'GET') {
    throw new ReplyError(status, call, 'an unexpected reply to a request with several IDs');
  }
  return ids.map((id) => {
    const answer = answers?.get(id);
    return answer ? outcomeOf<T>(id, answer, request.shape) : unanswered(id);
  });
}

function askedOf({ method, namedBy }: Pick<BatchRequest, 'method' | 'namedBy'>): BatchAsked {
  return { method, naming: namedBy === 'extension' ? namedByExtension : undefined };
}

function unanswered(id: string): BatchOutcome<never> {
  return { id, status: undefined, record: undefined, reason: undefined, code: undefined };
}

/** Returns the result for one ID in a list of the format of a multi-ID reply. */
export function outcomeIn<T>(
  items: readonly unknown[],
  id: string,
  request: Pick<BatchRequest, 'method' | 'namedBy' | 'shape'>,
): BatchOutcome<T> {
  const answer = answersIn(items, askedOf(request)).get(id);
  return answer ? outcomeOf<T>(id, answer, request.shape) : unanswered(id);
}

function outcomeOf<T>(
  id: string,
  { status, body, description }: BatchAnswer,
  shape: ReplyShape,
): BatchOutcome<T> {
  if (isDone(status)) {
    // A body of another shape does not prove that the request was processed.
    if (body !== undefined && shape.problem(body) !== undefined) return unanswered(id);
    if (body !== undefined) shape.correct(body);
    return { ...unanswered(id), status, record: body as T | undefined };
  }
  const error = isJsonObject(body) ? body : {};
  return {
    ...unanswered(id),
    status,
    reason: textOf(error['message']) ?? description,
    code: textOf(error['errorCode']),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
