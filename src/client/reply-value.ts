import { isJsonObject, parseJson } from '../platform/json.ts';
import { isJsonType, mediaType } from '../platform/json-type.ts';
import { mayRepeat } from '../platform/reading-paths.ts';
import type { Call, ReplyFacts } from './call.ts';
import { ReplyError, requestLineOf, type RequestLine } from '../errors/service.ts';
import { errorIn } from '../platform/error-body.ts';
import type { HttpReply } from './http.ts';

/** A reply whose whole body has been read as text. */
export interface WholeReply extends ReplyFacts {
  readonly status: number;
  readonly text: string;
  readonly contentType: string | undefined;
}

/** Returns the headers that `onReply` gets. `receivedAt` is the current time. */
export function factsOf(reply: HttpReply, receivedAt: number): ReplyFacts {
  return { requestId: reply.header('x-request-id'), date: reply.header('date'), receivedAt };
}

/** Reads the body of a reply into memory. `receivedAt` is the current time. */
export async function readWholeReply(reply: HttpReply, receivedAt: number): Promise<WholeReply> {
  const facts = factsOf(reply, receivedAt);
  const contentType = reply.header('content-type');
  return { status: reply.status, text: await reply.text(), contentType, ...facts };
}

/**
 * Returns a reply that the caller reads in parts. @throws {ReplyError} for an HTML page, which comes from another server,
 * such as the sign-in page of a network.
 */
export async function requireNoPage(reply: HttpReply, line: RequestLine): Promise<HttpReply> {
  if (mediaType(reply.header('content-type')) !== 'text/html') return reply;
  await reply.discard();
  throw new ReplyError(reply.status, requestLineOf(line), 'an HTML page', { isForeign: true });
}

/** The parts of a reply that decide whether it is a valid reply to its call. */
type ReadReply = Pick<WholeReply, 'status' | 'text' | 'contentType'>;

/** HTTP statuses with which a body proves a change, unless the shape names others. */
const provingStatuses: readonly number[] = [200, 201];

/**
 * Returns an error if a complete reply is not a valid reply to its call; undefined for a valid reply, or for any other
 * result.
 */
export function replyErrorOf(result: unknown, call: Call): ReplyError | undefined {
  return isWholeReply(result) ? readReplyValue(result, call).wrong : undefined;
}

function isWholeReply(result: unknown): result is WholeReply {
  const isReply = typeof result === 'object' && result !== null && 'text' in result && 'status' in result;
  return isReply && typeof result.text === 'string';
}

/** The errors of replies, so that the recorder of an outcome and the caller get the same error. */
const errors = new WeakMap<ReadReply, ReplyError>();

/**
 * Returns the value of a reply, or the error. A reply must have the shape that its call names. Without a shape, the
 * reply of a `once` call must be a record, and the reply of a GET must be a record or a list. The reply to a change must
 * also have a status that proves it and, if it names a content type, that of JSON.
 */
export function readReplyValue(
  read: ReadReply,
  call: Call,
): { readonly value?: unknown; readonly wrong?: ReplyError } {
  const { status, text, contentType } = read;
  const isEmpty = text.trim() === '';
  const isForeign = mediaType(contentType) === 'text/html';
  const mayBeDone = !call.once && !mayRepeat(call);
  const wrong = (what: string, cause?: unknown) => {
    const error =
      errors.get(read) ?? new ReplyError(status, call, what, { cause, mayBeDone, isEmpty, isForeign });
    errors.set(read, error);
    return { wrong: error };
  };
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
  const problem = shapeProblem(value, call) ?? proofProblem(value, { status, contentType }, call);
  if (problem !== undefined) return wrong(problem);
  reply?.correct(value);
  return { value };
}

function shapeProblem(value: unknown, call: Call): string | undefined {
  const code = mayRepeat(call) ? undefined : errorIn(value);
  if (code !== undefined) return `an error body (${code})`;
  return call.reply ? call.reply.problem(value) : problemOf(value, call);
}

/** Describes why a body of the expected shape does not prove a change; undefined for the reply to a read. */
function proofProblem(
  value: unknown,
  { status, contentType }: Omit<ReadReply, 'text'>,
  call: Call,
): string | undefined {
  if (mayRepeat(call)) return undefined;
  if (!isJsonType(contentType)) return `a body of the type ${mediaType(contentType)}`;
  // The items of a list have their own statuses.
  if (Array.isArray(value) && status === 207) return undefined;
  const { statuses = provingStatuses } = call.reply ?? {};
  return statuses.includes(status) ? undefined : 'a status that does not confirm the change';
}

function problemOf(value: unknown, { once }: Call): string | undefined {
  if (once) return isJsonObject(value) ? undefined : 'a body that is not a JSON object';
  const isNone = typeof value !== 'object' || value === null;
  return isNone ? 'a body that is neither a JSON object nor a list of records' : undefined;
}
