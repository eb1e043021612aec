import { isJsonObject } from '../platform/json.ts';
import { comparablePath } from '../platform/request-path.ts';
import { sendingPath, type ReceiptKind } from '../platform/sending-paths.ts';
import { readAnswer } from './answer.ts';
import type { Call } from './call.ts';
import type { HttpReply } from './http.ts';
import { ringOutShape } from './shapes/call.ts';
import { messageShape } from './shapes/message.ts';
import { key, record, type ReplyShape } from './shapes/shape.ts';

const recordShape = record<{ id: string }>({ id: key }, ['id']);

/** A call session stands in the member `session`; one that stands alone is taken as well. */
const sessionShape: ReplyShape = {
  ...recordShape,
  lack: (value) =>
    recordShape.lack(isJsonObject(value) && value['session'] !== undefined ? value['session'] : value),
};

const shapes: Readonly<Record<ReceiptKind, ReplyShape>> = {
  message: messageShape,
  record: recordShape,
  'ring-out': ringOutShape,
  session: sessionShape,
};

/** What proves a request that a user typed, where it is one that sends something; undefined for every other one. */
export function proofOfSend({ method, path }: Call): ReplyShape | undefined {
  if (method !== 'POST') return undefined;
  const receipt = sendingPath(comparablePath(path))?.receipt;
  return receipt && shapes[receipt];
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
