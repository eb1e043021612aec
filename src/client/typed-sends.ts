import { isJsonObject } from '../platform/json.ts';
import { comparablePath } from '../platform/request-path.ts';
import { sendingPath, type ReceiptKind } from '../platform/sending-paths.ts';
import { readReplyValue } from './reply-value.ts';
import type { Call } from './call.ts';
import type { HttpReply } from './http.ts';
import { ringOutShape } from './shapes/call.ts';
import { messageShape } from './shapes/message.ts';
import { key, record, type ReplyShape } from './shapes/shape.ts';

const recordShape = record<{ id: string }>({ id: key }, ['id']);

/** A call session is in the member `session`; a reply with only the session is accepted, too. */
const sessionShape: ReplyShape = {
  ...recordShape,
  problem: (value) =>
    recordShape.problem(isJsonObject(value) && value['session'] !== undefined ? value['session'] : value),
};

const shapes: Readonly<Record<ReceiptKind, ReplyShape>> = {
  message: messageShape,
  record: recordShape,
  'ring-out': ringOutShape,
  session: sessionShape,
};

/**
 * Returns the shape that proves a request of `ucctl api` that sends a message or places a call; undefined for other
 * requests.
 */
export function proofOfSend({ method, path }: Call): ReplyShape | undefined {
  if (method !== 'POST') return undefined;
  const receipt = sendingPath(comparablePath(path))?.receipt;
  return receipt && shapes[receipt];
}

/**
 * Reads the whole reply and returns it unchanged.
 * @throws {ReplyError} if it does not prove that the call was processed.
 */
export async function provenReply(reply: HttpReply, call: Call): Promise<HttpReply> {
  const text = await reply.text();
  const { wrong } = readReplyValue(reply.status, text, call);
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
