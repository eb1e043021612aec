import { isJsonObject, parseJson } from '../platform/json.ts';
import { mayRepeat } from '../platform/reading-paths.ts';
import type { Call, ReplyFacts } from './call.ts';
import { ReplyError } from '../errors/service.ts';
import { errorCodeOf } from './error-body.ts';
import type { HttpReply } from './http.ts';

/** A reply whose whole body has been read as text. */
export interface WholeReply extends ReplyFacts {
  readonly status: number;
  readonly text: string;
  readonly contentType: string | undefined;
}

/** Reads the body of a reply into memory. */
export async function readWholeReply(reply: HttpReply): Promise<WholeReply> {
  const facts = { requestId: reply.header('x-request-id'), date: reply.header('date') };
  const contentType = reply.header('content-type');
  return { status: reply.status, text: await reply.text(), contentType, ...facts };
}

/**
 * Returns an error if a complete reply is not a valid reply to its call; undefined for a valid reply, or for any other
 * result.
 */
export function replyErrorOf(result: unknown, call: Call): ReplyError | undefined {
  if (typeof result !== 'object' || result === null || !('text' in result) || !('status' in result))
    return undefined;
  const { text, status } = result;
  return typeof text === 'string' ? readReplyValue(Number(status), text, call).wrong : undefined;
}

/**
 * Returns the value of a reply, or the error. A reply must have the shape that its call names. Without a shape, the
 * reply of a `once` call must be a record, and the reply of a GET must be a record or a list.
 */
export function readReplyValue(
  status: number,
  text: string,
  call: Call,
): { readonly value?: unknown; readonly wrong?: ReplyError } {
  const isEmpty = text.trim() === '';
  const mayBeDone = !call.once && !mayRepeat(call);
  const wrong = (what: string, cause?: unknown) => ({
    wrong: new ReplyError(status, call, what, { cause, mayBeDone, isEmpty }),
  });
  const { reply } = call;
  if (isEmpty) {
    const mayBeEmpty = reply ? reply.emptyStatuses?.includes(status) === true : mayBeDone;
    return mayBeEmpty ? { value: undefined } : wrong('an empty body');
  }
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return wrong('a body that is not JSON', error);
  }
  const problem = errorIn(value, call) ?? (reply ? reply.problem(value) : problemOf(value, call));
  if (problem !== undefined) return wrong(problem);
  reply?.correct(value);
  return { value };
}

/** Describes the error body of a reply to a change, whatever its status and other members. */
function errorIn(value: unknown, call: Call): string | undefined {
  const code = mayRepeat(call) ? undefined : errorCodeOf(value);
  return code === undefined ? undefined : `an error body (${code})`;
}

function problemOf(value: unknown, { once }: Call): string | undefined {
  if (once) return isJsonObject(value) ? undefined : 'a body that is not a JSON object';
  const isNone = typeof value !== 'object' || value === null;
  return isNone ? 'a body that is neither a JSON object nor a list of records' : undefined;
}
