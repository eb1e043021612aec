import { isJsonObject, parseJson } from '../platform/json.ts';
import type { Call, ReplyFacts } from './call.ts';
import { ReplyError } from '../errors/service.ts';
import type { HttpReply } from './http.ts';

/** A reply that was read whole. */
export interface WholeReply extends ReplyFacts {
  readonly status: number;
  readonly text: string;
  readonly contentType: string | undefined;
}

/** Reads a reply to its end. */
export async function readWhole(reply: HttpReply): Promise<WholeReply> {
  const facts = { requestId: reply.header('x-request-id'), date: reply.header('date') };
  const contentType = reply.header('content-type');
  return { status: reply.status, text: await reply.text(), contentType, ...facts };
}

/** What is wrong with a reply that was read whole and is none to that call. */
export function unreadable(result: unknown, call: Call): ReplyError | undefined {
  if (typeof result !== 'object' || result === null || !('text' in result) || !('status' in result))
    return undefined;
  const { text, status } = result;
  return typeof text === 'string' ? readAnswer(Number(status), text, call).wrong : undefined;
}

/**
 * The value of a reply, or what is wrong with it: it must have the shape that its call names. Without one, what happens once is answered by a
 * record, and a GET by a record or a list.
 */
export function readAnswer(
  status: number,
  text: string,
  call: Call,
): { readonly value?: unknown; readonly wrong?: ReplyError } {
  const wrong = (what: string, cause?: unknown) => ({
    wrong: new ReplyError(status, call, what, { cause, mayBeDone: !call.once && call.method !== 'GET' }),
  });
  const { reply } = call;
  if (text.trim() === '') {
    const mayBeEmpty = reply ? reply.mayBeEmpty === true : !call.once && call.method !== 'GET';
    return mayBeEmpty ? { value: undefined } : wrong('nothing in it');
  }
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return wrong('a body that is not JSON', error);
  }
  const lack = reply ? reply.lack(value) : lackOf(value, call);
  if (lack !== undefined) return wrong(lack);
  reply?.correct(value);
  return { value };
}

function lackOf(value: unknown, { once }: Call): string | undefined {
  if (once) return isJsonObject(value) ? undefined : 'something that is no record';
  const isNone = typeof value !== 'object' || value === null;
  return isNone ? 'something that is no record and no list of records' : undefined;
}
