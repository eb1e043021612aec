import type { z } from 'zod';
import type { ServerFrame, WebSocketErrorBody } from '../../contract/web-socket.ts';
import { ClientRequestMeta, HeartbeatMeta } from '../../contract/web-socket.ts';
import { parseJson, stringifyJson } from '../../platform/json.ts';

/**
 * Codes of errors about the connection or a frame. Only the codes of timeouts are documented
 * (docs/internals/service-gaps.md).
 */
export const socketErrors = {
  frame: 'WSG-901',
  token: 'WSG-904',
  connections: 'WSG-905',
  requests: 'WSG-906',
  recovery: 'WSG-907',
} as const;

/** A frame of the client. */
export type ReceivedFrame =
  | { readonly type: 'ClientRequest'; readonly meta: ClientRequestMeta; readonly body: unknown }
  | { readonly type: 'Heartbeat'; readonly meta: HeartbeatMeta };

/** A frame that the protocol does not permit. The connection stays open. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
  /** The messageId of the frame, if present. */
  readonly messageId: string | undefined;

  constructor(message: string, messageId?: string) {
    super(message);
    this.messageId = messageId;
  }
}

/** Reads a text frame. @throws {FrameError} */
export function readFrame(text: string): ReceivedFrame {
  const frame = parseFrame(text);
  const [meta, body] = frame;
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) {
    throw new FrameError('The metadata of the message is not an object');
  }
  const { type, messageId } = meta as Readonly<Record<string, unknown>>;
  const id = typeof messageId === 'string' && messageId !== '' ? messageId : undefined;
  if (id === undefined) throw new FrameError('The metadata has no messageId');
  if (frame.length > 2)
    throw new FrameError('The message contains more parts than the metadata and a body', id);
  if (type === 'Heartbeat') return { type, meta: checked(HeartbeatMeta, meta, id) };
  if (type === 'ClientRequest') return { type, meta: checked(ClientRequestMeta, meta, id), body };
  throw new FrameError(`The type [${shown(type)}] of the message is unknown`, id);
}

function parseFrame(text: string): readonly unknown[] {
  let frame: unknown;
  try {
    frame = parseJson(text);
  } catch {
    throw new FrameError('The message is not valid JSON');
  }
  if (!Array.isArray(frame) || frame.length === 0) {
    throw new FrameError('The message is not a JSON array of metadata and body');
  }
  return frame as readonly unknown[];
}

function checked<S extends z.ZodType>(schema: S, meta: object, messageId: string): z.infer<S> {
  const result = schema.safeParse(meta);
  if (result.success) return result.data;
  const name = result.error.issues[0]?.path.join('.') ?? '';
  throw new FrameError(`The member [${name}] of the metadata is invalid`, messageId);
}

/** Formats the value of an unknown type for an error message. */
function shown(type: unknown): string {
  return typeof type === 'string' ? type.slice(0, 100) : typeof type;
}

/** Writes a frame. */
export function writeFrame(frame: ServerFrame): string {
  return stringifyJson(frame);
}

/** Writes a notification whose body is already JSON. */
export function writeNotification(meta: object, payload: string): string {
  return `[${stringifyJson(meta)},${payload}]`;
}

/** Writes a frame of type `Error`. */
export function writeError(messageId: string, status: number, body: WebSocketErrorBody): string {
  return writeFrame([{ type: 'Error', messageId, status }, body]);
}
