import type { Id } from '../../contract/common.ts';
import type { Message } from '../../contract/message.ts';
import { isMissingResource } from '../../errors/service-codes.ts';
import type { BatchRequest } from '../batch.ts';
import type { Call, RequestOptions } from '../call.ts';
import { idGroups } from '../id-groups.ts';
import { path } from '../path.ts';
import { oneMessage } from '../shapes/one-message.ts';
import type { Transport } from '../transport.ts';

/** The result for one of several messages. */
export interface MessageOutcome {
  readonly id: string;
  /**
   * HTTP status: 200, 204 or an error. Undefined if the reply does not name the message, so that its outcome is
   * unknown.
   */
  readonly status: number | undefined;
  /** The current message, if the reply has it. */
  readonly message: Message | undefined;
  /** The service's message for a rejection. */
  readonly reason: string | undefined;
}

/** Sends a request for several messages, in as few requests as possible. */
export async function* outcomesOf(
  transport: Transport,
  request: BatchRequest,
  ids: readonly Id[],
  options: RequestOptions | undefined,
): AsyncGenerator<MessageOutcome, void, undefined> {
  for (const some of idGroups(ids, request.change !== undefined)) {
    const [only, second] = some;
    if (only !== undefined && second === undefined) yield await sendOne(transport, request, only, options);
    else yield* sendSeveral(transport, request, some, options);
  }
}

/** Collects the outcomes of all messages. */
export async function everyOutcome(
  outcomes: AsyncIterable<MessageOutcome>,
): Promise<readonly MessageOutcome[]> {
  const every: MessageOutcome[] = [];
  for await (const outcome of outcomes) every.push(outcome);
  return every;
}

async function sendOne(
  transport: Transport,
  request: BatchRequest,
  id: string,
  options: RequestOptions | undefined,
): Promise<MessageOutcome> {
  const { method, collection, query, change, resend, faxTo } = request;
  const call: Call = {
    method,
    path: collection + path`/${id}`,
    query,
    resend,
    faxTo,
    once: (faxTo ?? []).length > 0,
    reply: oneMessage(method, id),
    ...(change && { body: change }),
  };
  try {
    const reply = await transport.send<Message | readonly unknown[] | undefined>(call, options);
    if (!isList(reply)) return { id, status: reply ? 200 : 204, message: reply, reason: undefined };
    const { outcomeIn } = await import('../batch.ts');
    const { status, record, reason } = outcomeIn<Message>(reply, id, request);
    return { id, status, message: record, reason };
  } catch (error) {
    if (!isMissingResource(error)) throw error;
    return { id, status: 404, message: undefined, reason: error.message };
  }
}

async function* sendSeveral(
  transport: Transport,
  request: BatchRequest,
  ids: readonly string[],
  options: RequestOptions | undefined,
): AsyncGenerator<MessageOutcome, void, undefined> {
  const { sendBatch } = await import('../batch.ts');
  const outcomes = await sendBatch<Message>(transport, request, ids, options);
  for (const { id, status, record, reason } of outcomes) yield { id, status, message: record, reason };
}

function isList(reply: Message | readonly unknown[] | undefined): reply is readonly unknown[] {
  return Array.isArray(reply);
}
