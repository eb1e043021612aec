import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildClient, type Client, type HttpSend } from '../../src/client/index.ts';
import { openMirror, SqliteMessages, syncScope, type SyncReport } from '../../src/features/mirror/index.ts';
import type { Database } from '../../src/platform/sqlite.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { Dice } from '../../test/support/dice.ts';
import { sandboxHttp, signInAs } from '../../test/support/sandbox.ts';
import type { Result, Size } from './result.ts';

/** Result of a sequence of random steps. */
interface Walk {
  readonly steps: number;
  readonly syncs: number;
  readonly repairs: number;
  /** Syncs that failed because of a fault and left the copy unchanged. */
  readonly faults: number;
  readonly divergences: readonly string[];
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const mailbox = 171_857_102;

/**
 * Changes a mailbox at random, with syncs in between; after every sync the copy is compared with the service, under
 * `purge`.
 */
async function walk(steps: number, seed: number): Promise<Walk> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-steps-'));
  const sandbox = await startSandbox({ listen: false, settings: { mailboxMessages: 30 } });
  const db = openMirror(join(folder, 'mirror.sqlite'));
  try {
    return await walkOn(sandbox, db, steps, new Dice(seed));
  } finally {
    db.close();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function walkOn(sandbox: Sandbox, db: Database, steps: number, dice: Dice): Promise<Walk> {
  const fault = { next: 'none' as 'none' | 'cut' | 'reject' };
  const own = client(sandbox, '102', faulty(sandboxHttp(sandbox), fault, dice));
  const other = client(sandbox, '103', sandboxHttp(sandbox));
  const seen = { syncs: 0, repairs: 0, faults: 0, divergences: [] as string[] };
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(dice.next() * items.length)];
  const store = '/restapi/v1.0/account/~/extension/~/message-store';
  const tolerate = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);
  const anyMessage = () =>
    pick(sandbox.messages(mailbox).filter(({ availability }) => availability !== 'Purged'));

  const compare = (): void => {
    const service = sandbox
      .messages(mailbox)
      .filter(({ availability }) => availability === 'Alive')
      .map((row) => line(row.id, row.readStatus, row.messageStatus, row.subject, row.lastModifiedTime));
    const copy = (
      db
        .prepare('SELECT message_id, read_status, message_status, subject, last_modified_time FROM message')
        .all() as {
        readonly [column: string]: string | null;
      }[]
    ).map((row) =>
      line(
        row['message_id'],
        row['read_status'],
        row['message_status'],
        row['subject'],
        Date.parse(row['last_modified_time'] ?? ''),
      ),
    );
    const words = db
      .prepare("SELECT count(*) AS n FROM message_fts WHERE message_fts MATCH 'text'")
      .get() as { readonly n: number };
    if (service.sort().join('\n') !== copy.sort().join('\n') || words.n !== copy.length) {
      seen.divergences.push(`${service.length} at the service, ${copy.length} copied, ${words.n} found`);
    }
    try {
      // Compares the search index with the messages that it was built from.
      db.exec("INSERT INTO message_fts (message_fts, rank) VALUES ('integrity-check', 1)");
    } catch (error) {
      seen.divergences.push(`full text: ${(error as Error).message}`);
    }
  };
  const sync = async (): Promise<void> => {
    const before = fingerprint(db);
    let report: SyncReport;
    try {
      report = await syncScope(
        new SqliteMessages(db, 'mirror.sqlite'),
        async (extensionId, request) => (await own.messages.openSync({ ...request }, extensionId)).bytes(),
        { extensionId: String(mailbox), scope: {}, onDelete: 'purge', now: () => sandbox.clock.now() },
      );
    } catch {
      seen.faults += 1;
      if (fingerprint(db) !== before) seen.divergences.push('a failed sync left something behind');
      return;
    }
    seen.syncs += 1;
    if (report.repaired) seen.repairs += 1;
    compare();
  };
  const actions: readonly (readonly [number, (step: number) => Promise<unknown>])[] = [
    [22, (step) => tolerate(other.messages.sendSms(sms('+16505550113', '+16505550112', `text ${step}`)))],
    [8, (step) => tolerate(own.messages.sendSms(sms('+16505550112', '+16505550113', `text ${step}`)))],
    [
      12,
      () =>
        tolerate(
          change(own, 'PUT', `${store}/${anyMessage()?.id}`, { readStatus: pick(['Read', 'Unread']) }),
        ),
    ],
    [10, () => tolerate(change(own, 'DELETE', `${store}/${anyMessage()?.id}`))],
    [5, () => tolerate(change(own, 'DELETE', `${store}/${anyMessage()?.id}?purge=true`))],
    [8, () => tolerate(change(own, 'PATCH', `${store}/${anyMessage()?.id}`, { availability: 'Alive' }))],
    [10, () => sandbox.clock.advance(Math.floor(dice.next() * 10_000))],
    [2, () => sandbox.clock.advance(Math.floor(dice.next() * day))],
    [0.6, () => sandbox.clock.advance(Math.floor(dice.next() * 12 * day))],
    [0.6, async () => db.exec("UPDATE stream SET sync_token = 'lost'")],
    [
      3,
      async () => {
        fault.next = dice.chance(0.7) ? 'cut' : 'reject';
      },
    ],
    [19, sync],
  ];
  const total = actions.reduce((sum, [weight]) => sum + weight, 0);
  for (let step = 0; step < steps; step += 1) {
    let at = dice.next() * total;
    const action = actions.find(([weight]) => (at -= weight) < 0);
    await action?.[1](step);
  }
  fault.next = 'none';
  await sync();
  return { steps, ...seen };
}

function sms(from: string, to: string, text: string) {
  return { from: { phoneNumber: from }, to: [{ phoneNumber: to }], text };
}

function change(
  api: Client,
  method: 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<unknown> {
  const [plain = '', query] = path.split('?');
  return api.transport.send({
    method,
    path: plain,
    query: query === undefined ? undefined : { purge: true },
    body,
  });
}

function line(...values: readonly unknown[]): string {
  return values.join('|');
}

/** Everything that a failed sync must leave unchanged. */
function fingerprint(db: Database): string {
  const rows = db
    .prepare(
      'SELECT message_id, raw, changed_in FROM message UNION ALL SELECT sync_token, date_from, 0 FROM stream',
    )
    .all();
  return JSON.stringify(rows);
}

/** A user who signs in again whenever the clock has passed the end of the session. */
function client(sandbox: Sandbox, who: string, http: HttpSend): Client {
  let token: Promise<string> | undefined;
  return buildClient({
    baseUrl: new URL(sandbox.url),
    http,
    tokens: {
      current: () => (token ??= signInAs(sandbox, who)),
      renew: () => (token = signInAs(sandbox, who)),
    },
    userAgent: 'proof',
    timeoutMilliseconds: 10_000,
  });
}

/** Makes the next sync fail: the request is rejected, or its body is cut off at a random byte. */
function faulty(send: HttpSend, fault: { next: 'none' | 'cut' | 'reject' }, dice: Dice): HttpSend {
  return async (request) => {
    const wanted = request.url.pathname.endsWith('/message-sync') ? fault.next : 'none';
    if (wanted === 'none') return send(request);
    fault.next = 'none';
    if (wanted === 'reject') throw new Error('the connection was reset');
    const reply = await send(request);
    if (reply.status !== 200) return reply;
    const text = await reply.text();
    const cut = text.slice(0, Math.floor(dice.next() * text.length));
    return {
      ...reply,
      async *bytes() {
        yield new TextEncoder().encode(cut);
      },
    };
  };
}

/** 10,000 random steps: after every sync the copy equals the service. */
export async function run(size: Size = 'full'): Promise<readonly Result[]> {
  const seen = await walk(size === 'full' ? 10_000 : 300, 42);
  return [
    {
      promise: 'after every sync the copy equals the service',
      figure: `${seen.divergences.length} divergences in ${seen.syncs} syncs of ${seen.steps} steps, ${seen.repairs} repairs, ${seen.faults} faults ${seen.divergences.slice(0, 3).join('; ')}`,
      holds: seen.divergences.length === 0 && seen.syncs > size.length && seen.repairs > 0 && seen.faults > 0,
    },
  ];
}
