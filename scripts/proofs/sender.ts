import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface Sender {
  readonly address: string;
  readonly token: string;
  /** Number of the sender, and the extension of its events. */
  readonly sender: number;
}

/** What the senders have sent. */
export interface Sent {
  readonly acknowledged: Set<string>;
  attempts: number;
  /** Set to true to end the senders. */
  isOver: boolean;
  /** Milliseconds between two events of a sender. */
  readonly rest: number;
}

/** Returns the record of senders that have not sent anything. */
export function newSent(rest: number): Sent {
  return { acknowledged: new Set(), attempts: 0, isOver: false, rest };
}

/** Sends events until the end, each again until it is acknowledged, as the service does. */
export async function sendEvents({ address, token, sender }: Sender, sent: Sent): Promise<void> {
  for (let number = 0; !sent.isOver; number += 1) {
    const uuid = `${sender}-${number}`;
    while (!(await sendEvent({ address, token }, uuid, sent))) {
      if (sent.isOver) return;
      await pause(50);
    }
    await pause(sent.rest);
  }
}

/** Sends one event, whose uuid begins with its sender, once. @returns whether it was acknowledged. */
export async function sendEvent(
  { address, token }: Omit<Sender, 'sender'>,
  uuid: string,
  sent: Sent,
): Promise<boolean> {
  const [sender = '', number] = uuid.split('-');
  const event = `/restapi/v1.0/account/1/extension/${sender}/presence`;
  const body = { extensionId: sender, number: Number(number) };
  sent.attempts += 1;
  const status = await post(address, token, JSON.stringify({ uuid, event, timestamp: 't', body }));
  if (status === 200) sent.acknowledged.add(uuid);
  return status === 200;
}

/** @returns the status; 0 without a reply. */
function post(address: string, token: string, body: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = { 'verification-token': token, 'content-length': Buffer.byteLength(body) };
    request(address, { method: 'POST', headers }, (reply) => {
      reply.resume();
      reply.once('close', () => resolve(reply.statusCode ?? 0));
    })
      .once('error', () => resolve(0))
      .end(body);
  });
}

/** Compares the keys of a log with the acknowledged events. */
export function compareKeys(
  keys: readonly string[],
  acknowledged: ReadonlySet<string>,
): { readonly lost: number; readonly doubled: number } {
  const stored = new Set(keys);
  const lost = [...acknowledged].filter((uuid) => !stored.has(uuid)).length;
  return { lost, doubled: keys.length - stored.size };
}
