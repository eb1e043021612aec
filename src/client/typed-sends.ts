import { comparablePath } from '../platform/request-path.ts';
import { readAnswer } from './answer.ts';
import type { Call } from './call.ts';
import type { HttpReply } from './http.ts';
import { ringOutShape } from './shapes/call.ts';
import { messageShape } from './shapes/message.ts';
import { key, record, type ReplyShape } from './shapes/shape.ts';

const batchShape = record<{ id: string }>({ id: key }, ['id']);

/** What reaches people or rings, by the end of its path. */
const sends: readonly (readonly [RegExp, ReplyShape])[] = [
  [/\/(?:sms|mms|company-pager|fax)$/, messageShape],
  [/\/a2p-sms\/batch(?:es)?$/, batchShape],
  [/\/ring-?out$/, ringOutShape],
];

/** What proves a request that a user typed, where it is one that sends something; undefined for every other one. */
export function proofOfSend({ method, path }: Call): ReplyShape | undefined {
  if (method !== 'POST') return undefined;
  const place = comparablePath(path);
  return sends.find(([pattern]) => pattern.test(place))?.[1];
}

/**
 * Reads a reply to its end, and gives it on as it came.
 * @throws {ReplyError} it does not prove that the call was done.
 */
export async function provenReply(reply: HttpReply, call: Call): Promise<HttpReply> {
  const text = await reply.text();
  const { wrong } = readAnswer(reply.status, text, call);
  if (wrong) throw wrong;
  return {
    ...reply,
    text: () => Promise.resolve(text),
    async *bytes() {
      yield Buffer.from(text, 'utf8');
    },
    discard: () => Promise.resolve(),
  };
}
