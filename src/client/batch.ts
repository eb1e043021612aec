import { batchContentType, idsPerPath } from '../contract/limits.ts';
import { isJsonObject, stringifyJson } from '../platform/json.ts';
import {
  answersIn,
  isDone,
  namedById,
  readBatchReply,
  type BatchAnswer,
  type BatchNaming,
} from './batch-reply.ts';
import type { Call, QueryValue, RequestOptions } from './call.ts';
import { ReplyError } from '../errors/service.ts';
import type { ReplyShape } from './shapes/shape.ts';
import { path } from './path.ts';
import type { Transport } from './transport.ts';

/** What became of one id of a request for several. */
export interface BatchOutcome<T> {
  readonly id: string;
  /** As HTTP has it; undefined where no answer names the id: what became of it is unknown. */
  readonly status: number | undefined;
  /** The record, where the reply has it. */
  readonly record: T | undefined;
  /** The service's words for a rejection. */
  readonly reason: string | undefined;
  /** The service's code for a rejection. */
  readonly code: string | undefined;
}

/** One request for several ids of a collection. */
export interface BatchRequest {
  readonly method: Call['method'];
  /** Address of the collection; the ids become the segment after it. */
  readonly collection: string;
  /** What follows the ids in the path, such as `/presence`. */
  readonly suffix?: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** The change, the same for every id. */
  readonly change?: object | undefined;
  readonly naming?: BatchNaming;
  /** What a record of the reply is like. */
  readonly shape: ReplyShape;
}

/**
 * The call of a request for several ids. Up to 50 stand in the path, with one body for each in their order; more stand in the body, with `*` in
 * the path.
 */
function batchCall(request: BatchRequest, ids: readonly string[]): Call {
  const { method, collection, suffix = '', query, change } = request;
  const isInPath = ids.length <= idsPerPath;
  const segment = isInPath ? ids.map((id) => path`${id}`).join(',') : '*';
  const items = ids.map((id) => ({ ...(!isInPath && { resourceId: id }), body: change }));
  return {
    method,
    path: `${collection}/${segment}${suffix}`,
    query,
    ...(change && { body: stringifyJson(items), contentType: batchContentType }),
  };
}

/**
 * Sends one request for several ids and gives what became of each, in their order. Nothing is concluded for an id that the reply does not
 * name; only 204 to a DELETE says that all were done.
 * @throws {ReplyError} for a reply to a GET that cannot be read. @throws as `Transport.send` for an error of the whole request.
 */
export async function sendBatch<T>(
  transport: Transport,
  request: BatchRequest,
  ids: readonly string[],
  options?: RequestOptions,
): Promise<readonly BatchOutcome<T>[]> {
  const call = batchCall(request, ids);
  const { status, text, contentType } = await transport.sendForText(call, options);
  if (call.method === 'DELETE' && status === 204) {
    return ids.map((id) => ({ ...unanswered(id), status }));
  }
  const answers = readBatchReply(text, contentType, request.naming ?? namedById);
  if (!answers && call.method === 'GET') {
    throw new ReplyError(status, call, 'something that is no reply for several ids');
  }
  return ids.map((id) => {
    const answer = answers?.get(id);
    if (!answer) return unanswered(id);
    // A read is answered by the record, nothing less.
    if (call.method === 'GET' && isDone(answer.status) && answer.body === undefined) return unanswered(id);
    return outcomeOf<T>(id, answer, request.shape);
  });
}

function unanswered(id: string): BatchOutcome<never> {
  return { id, status: undefined, record: undefined, reason: undefined, code: undefined };
}

/** What a list in the form of a reply for several ids says of one. */
export function outcomeIn<T>(items: readonly unknown[], id: string, shape: ReplyShape): BatchOutcome<T> {
  const answer = answersIn(items).get(id);
  return answer ? outcomeOf<T>(id, answer, shape) : unanswered(id);
}

function outcomeOf<T>(
  id: string,
  { status, body, description }: BatchAnswer,
  shape: ReplyShape,
): BatchOutcome<T> {
  if (isDone(status)) {
    // What is no such record proves nothing about the id.
    if (body !== undefined && shape.lack(body) !== undefined) return unanswered(id);
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
