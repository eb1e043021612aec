import type { Socket } from 'node:net';
import type { WireReply } from '../service/wire.ts';

/** The input of a fault: the connection, and the reply that the service would send. */
export interface Broken {
  readonly socket: Socket;
  readonly reply: WireReply;
  /** Rejects when the connection is closed or the run is over. */
  pause(milliseconds: number): Promise<void>;
}

/** One way in which a reply can fail. */
export interface WireFault {
  readonly name: string;
  /** Whether the service receives the request before the reply fails. */
  readonly isForwarded: boolean;
  /** Takes about as long as the limits allow; skipped in short runs. */
  readonly isSlow?: boolean;
  /** Unexpected bytes that are sent after the reply to each earlier request. */
  readonly ahead?: string;
  /** No process listens on the port. */
  readonly isConnectionRefused?: boolean;
  readonly act: (broken: Broken) => Promise<void> | void;
}

/** The reply in its plainest form on the wire. */
export function whole(reply: WireReply): { readonly head: Buffer; readonly body: Buffer } {
  const headers = reply.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const length = reply.status === 204 ? '' : `Content-Length: ${reply.body.length}\r\n`;
  return { head: Buffer.from(`HTTP/1.1 ${reply.status} OK\r\n${headers}${length}\r\n`), body: reply.body };
}

export function bytesOf(reply: WireReply): Buffer {
  const { head, body } = whole(reply);
  return Buffer.concat([head, body]);
}

/** Ways to close a connection. */
export const ends = {
  close: ({ socket }: Broken) => void socket.end(),
  // A connection that is already ending must not be reset: on Node 20 the process would never exit.
  reset: ({ socket }: Broken) => void (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy()),
  hang: () => undefined,
} as const;
export type End = keyof typeof ends;

/** Sends bytes, waits until they have arrived, and closes the connection. */
export async function sendThen(broken: Broken, bytes: Buffer | string, end: End): Promise<void> {
  await new Promise<void>((resolve) => broken.socket.write(bytes, () => resolve()));
  if (end === 'reset') await broken.pause(5);
  ends[end](broken);
}

/** A fault that answers with these bytes after the service has done its work. */
export function answers(
  name: string,
  bytes: (reply: WireReply) => Buffer | string,
  end: End = 'close',
  isForwarded = true,
): WireFault {
  return {
    name,
    isForwarded,
    ...(end === 'hang' && { isSlow: true }),
    act: (broken) => sendThen(broken, bytes(broken.reply), end),
  };
}
