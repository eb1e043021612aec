import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settled, startProcess, type SandboxProcess } from './sandbox-process.ts';
import { startWebhook } from './webhook.ts';

interface Size {
  readonly rounds: number;
  readonly writers: number;
  /**
   * The most acknowledged writes in a round before its kill; rounds grow up to it. Writes are counted rather than
   * timed, so that a slow machine kills as often.
   */
  readonly writes: number;
}
/** Counts of the proof. All counts except `acknowledged` must be 0. */
interface Findings {
  readonly acknowledged: number;
  /** Number of texts that were acknowledged but are not in the store. */
  readonly lost: number;
  /** Number of texts that were acknowledged but never became Delivered. */
  readonly undelivered: number;
  /** Number of texts that were acknowledged but never posted to the webhook. */
  readonly unnotified: number;
}

interface Listed {
  readonly records: readonly {
    readonly id: number;
    readonly subject: string;
    readonly messageStatus: string;
  }[];
}

/** Kills the sandbox repeatedly while texts are sent, and checks that nothing it acknowledged is missing. */
export async function killWhileWriting({ rounds, writers, writes }: Size): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-kill-'));
  const webhook = await startWebhook();
  const acknowledged = new Acknowledged();
  const args = ['--rate-limits', 'off', '--clock', 'real'];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const sandbox = await startProcess(folder, args);
      const token = await sandbox.signIn('administrator');
      if (round === 0) {
        // Whether the webhook answers within a second depends on the load of the machine and is not part of the
        // proof.
        await sandbox.control('PATCH', '/settings', { webhookTimeoutMilliseconds: 30_000 });
        await subscribe(sandbox, token, webhook.address);
      }
      const writing = Promise.all(
        Array.from({ length: writers }, (_, writer) =>
          write(sandbox, token, `${round}/${writer}`, acknowledged),
        ),
      );
      // The other writers have requests in flight.
      await acknowledged.reached(acknowledged.texts.size + Math.ceil((writes * (round + 1)) / rounds));
      await sandbox.kill();
      await writing;
    }
    return await lookForLosses(await startProcess(folder, args), acknowledged.texts, webhook.notified);
  } finally {
    await webhook.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The texts that the sandbox acknowledged, each with the id of its message. */
class Acknowledged {
  readonly texts = new Map<string, string>();
  #waiting: { readonly count: number; readonly done: () => void } | undefined;

  add(text: string, id: string): void {
    this.texts.set(text, id);
    if (this.#waiting && this.texts.size >= this.#waiting.count) this.#waiting.done();
  }

  reached(count: number): Promise<void> {
    return new Promise((done) => {
      this.#waiting = { count, done };
    });
  }
}

async function subscribe(sandbox: SandboxProcess, token: string, address: string): Promise<void> {
  const reply = await sandbox.send(token, 'POST', '/subscription', {
    eventFilters: ['/restapi/v1.0/account/~/extension/~/message-store'],
    deliveryMode: { transportType: 'WebHook', address },
  });
  if (!reply.ok) throw new Error(`subscription: ${await reply.text()}`);
}

/** Sends until the connection breaks. */
async function write(
  sandbox: SandboxProcess,
  token: string,
  name: string,
  acknowledged: Acknowledged,
): Promise<void> {
  for (let count = 0; ; count += 1) {
    const text = `${name}/${count}`;
    try {
      const reply = await sandbox.send(token, 'POST', '/account/~/extension/~/sms', {
        from: { phoneNumber: '+16505550110' },
        to: [{ phoneNumber: '+14155550123' }],
        text,
      });
      if (reply.status !== 200) throw new Error(`sms: HTTP ${reply.status} ${await reply.text()}`);
      acknowledged.add(text, String(((await reply.json()) as { id: number }).id));
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('sms:')) throw error;
      return;
    }
  }
}

async function lookForLosses(
  sandbox: SandboxProcess,
  acknowledged: ReadonlyMap<string, string>,
  notified: ReadonlySet<string>,
): Promise<Findings> {
  await sandbox.control('POST', '/clock/advance', { seconds: 60 });
  const token = await sandbox.signIn('administrator');
  const stored = new Map<string, string>();
  for (let page = 1; ; page += 1) {
    const query = `direction=Outbound&perPage=1000&page=${page}`;
    const reply = await sandbox.send(token, 'GET', `/account/~/extension/~/message-store?${query}`);
    const { records } = (await reply.json()) as Listed;
    for (const { subject, messageStatus } of records) stored.set(subject, messageStatus);
    if (records.length < 1000) break;
  }
  await settled(sandbox);
  await sandbox.stop();
  const texts = [...acknowledged.keys()];
  const lost = texts.filter((text) => !stored.has(text)).length;
  return {
    acknowledged: acknowledged.size,
    lost,
    undelivered: texts.filter((text) => stored.has(text) && stored.get(text) !== 'Delivered').length,
    unnotified: [...acknowledged.values()].filter((id) => !notified.has(id)).length,
  };
}

/** Full size. @throws when anything acknowledged is missing. */
export async function proveSandboxKill(say: (line: string) => void): Promise<void> {
  // Fewer than a mailbox can store: a full mailbox deletes its oldest messages.
  const found = await killWhileWriting({ rounds: 25, writers: 16, writes: 200 });
  say(JSON.stringify(found));
  if (found.acknowledged === 0 || found.lost + found.undelivered + found.unnotified > 0)
    throw new Error('the sandbox lost what it had acknowledged');
}
