import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess, type SandboxProcess } from './sandbox-process.ts';
import { startWebhook } from './webhook.ts';

interface Size {
  readonly rounds: number;
  readonly writers: number;
  /** Longest time between the start of the writers and the kill. */
  readonly milliseconds: number;
}
/** What was found: all of it must be nothing but `acknowledged`. */
interface Findings {
  readonly acknowledged: number;
  /** Acknowledged and not there. */
  readonly lost: number;
  /** Acknowledged and never delivered by their timers. */
  readonly undelivered: number;
  /** Acknowledged and never told to the webhook. */
  readonly untold: number;
}

interface Listed {
  readonly records: readonly {
    readonly id: number;
    readonly subject: string;
    readonly messageStatus: string;
  }[];
}

/** Kills the sandbox again and again while texts are sent, and looks whether anything that it acknowledged is missing. */
export async function killWhileWriting({ rounds, writers, milliseconds }: Size): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-kill-'));
  const webhook = await startWebhook();
  const acknowledged = new Map<string, string>();
  const args = ['--rate-limits', 'off', '--clock', 'real'];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const sandbox = await startProcess(folder, args);
      const token = await sandbox.signIn('administrator');
      if (round === 0) await subscribe(sandbox, token, webhook.address);
      const writing = Promise.all(
        Array.from({ length: writers }, (_, writer) =>
          write(sandbox, token, `${round}/${writer}`, acknowledged),
        ),
      );
      await new Promise((resolve) => {
        setTimeout(resolve, (milliseconds * (round + 1)) / rounds);
      });
      await sandbox.kill();
      await writing;
    }
    return await lookForLosses(await startProcess(folder, args), acknowledged, webhook.told);
  } finally {
    await webhook.close();
    await rm(folder, { recursive: true, force: true });
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
  acknowledged: Map<string, string>,
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
      acknowledged.set(text, String(((await reply.json()) as { id: number }).id));
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('sms:')) throw error;
      return;
    }
  }
}

async function lookForLosses(
  sandbox: SandboxProcess,
  acknowledged: ReadonlyMap<string, string>,
  told: ReadonlySet<string>,
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
  await waitUntil(() => [...acknowledged.values()].every((id) => told.has(id)));
  await sandbox.stop();
  const texts = [...acknowledged.keys()];
  const lost = texts.filter((text) => !stored.has(text)).length;
  return {
    acknowledged: acknowledged.size,
    lost,
    undelivered: texts.filter((text) => stored.has(text) && stored.get(text) !== 'Delivered').length,
    untold: [...acknowledged.values()].filter((id) => !told.has(id)).length,
  };
}

/** At most 20 s. */
async function waitUntil(done: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 400 && !done(); attempt += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}

/** Full size. @throws when anything acknowledged is missing. */
export async function proveSandboxKill(say: (line: string) => void): Promise<void> {
  // Fewer than a mailbox holds: a full one loses its oldest by rule.
  const found = await killWhileWriting({ rounds: 25, writers: 16, milliseconds: 120 });
  say(JSON.stringify(found));
  if (found.acknowledged === 0 || found.lost + found.undelivered + found.untold > 0)
    throw new Error('the sandbox lost what it had acknowledged');
}
