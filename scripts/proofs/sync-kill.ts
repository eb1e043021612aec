import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/platform/sqlite.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { startUcctl } from '../../test/support/process.ts';
import { signInAs } from '../../test/support/sandbox.ts';
import type { Result, Size } from './result.ts';

const mailbox = 171_857_102;

interface Tally {
  attempts: number;
  kills: number;
  lost: number;
  duplicated: number;
  damaged: number;
  compared: number;
  /** Kills during the transfer of the reply, of full and of incremental syncs. */
  readonly midway: { full: number; incremental: number };
}

const sizes = {
  // Two mailboxes are tested concurrently, each with its own service and copy.
  full: { workers: 2, kills: 1000, texts: 1200 },
  reduced: { workers: 1, kills: 4, texts: 300 },
} as const;
/** The latest kill, as a multiple of the reply. A kill beyond 1 comes after the reply, before the process ends. */
const lastKill = 1.3;
/** Texts that arrive before each run; about as many are deleted, so that the size of the mailbox stays the same. */
const news = 12;

/**
 * Ends `ucctl sync` by SIGKILL at a random part of the reply, or at a random time after the reply; full and incremental
 * syncs alternate. After each kill the database must be consistent, and an occasional undisturbed sync must make the copy
 * equal to the service.
 */
export async function run(size: Size = 'full'): Promise<readonly Result[]> {
  const { workers, kills: wanted, texts } = sizes[size];
  const midway = { full: 0, incremental: 0 };
  const tally: Tally = { attempts: 0, kills: 0, lost: 0, duplicated: 0, damaged: 0, compared: 0, midway };
  const started = performance.now();
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker, texts, wanted, tally)));
  const { kills, attempts, lost, duplicated, damaged, compared } = tally;
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  return [
    {
      promise: 'a sync that is killed loses and duplicates no message',
      figure: `${kills} kills in ${attempts} runs and ${minutes} min, ${midway.full + midway.incremental} of them within the reply: ${lost} lost, ${duplicated} duplicated, ${damaged} damaged; equal to the service ${compared} times`,
      holds:
        kills >= wanted &&
        Math.min(midway.full, midway.incremental) > 0 &&
        lost + duplicated + damaged === 0 &&
        compared > 0,
    },
  ];
}

/** Kills syncs of one mailbox until all workers together have made enough kills. */
async function work(worker: number, texts: number, wanted: number, tally: Tally): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-kill-'));
  const sandbox = await startSandbox({
    listen: false,
    clock: 'real',
    settings: { mailboxMessages: 100_000 },
  });
  const paced = await servePaced(sandbox);
  const file = join(folder, 'mirror.sqlite');
  try {
    const token = await signInAs(sandbox, '102');
    const start = starter(token, paced, file);
    const random = seeded(42 + worker);
    await addTexts(sandbox, texts);
    await start([], undefined);
    const full = await start(['--full'], undefined);
    await addTexts(sandbox, news);
    const incremental = await start([], undefined);
    for (let attempt = 1; tally.kills < wanted && tally.attempts < wanted * 4; attempt += 1) {
      await addTexts(sandbox, news);
      await changeSome(sandbox, token, random);
      tally.attempts += 1;
      const isFull = attempt % 2 === 0;
      const { tail } = isFull ? full : incremental;
      // Of four runs, a full and an incremental one are killed early in the reply, so that few kills include both.
      const isLate = attempt % 4 > 1;
      const at = ((isLate ? 1 : 0) + random()) * (lastKill / 2);
      const delay = at < 1 ? 0 : random() * tail;
      const { killed, isMidway } = await start(isFull ? ['--full'] : [], { at: Math.min(at, 1), delay });
      if (killed) tally.kills += 1;
      if (killed && isMidway) tally.midway[isFull ? 'full' : 'incremental'] += 1;
      examine(file, tally);
      if (attempt % 10 === 0) await catchUp(sandbox, start, file, tally);
    }
    await catchUp(sandbox, start, file, tally);
  } finally {
    await paced.close();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Checks that the copy is consistent at this moment, without duplicates. */
function examine(file: string, tally: Tally): void {
  const db = openDatabase(file);
  try {
    const { integrity_check: check } = db.prepare('PRAGMA integrity_check').get() as {
      readonly integrity_check: string;
    };
    const { rows, ids, words } = db
      .prepare(
        'SELECT count(*) AS rows, count(DISTINCT message_id) AS ids, (SELECT count(*) FROM message_fts_docsize) AS words FROM message',
      )
      .get() as { readonly rows: number; readonly ids: number; readonly words: number };
    if (check !== 'ok' || words !== rows) tally.damaged += 1;
    tally.duplicated += rows - ids;
  } finally {
    db.close();
  }
}

/** When a sync is killed. */
interface Kill {
  /** The part of the reply that has been sent, from 0 to 1. */
  readonly at: number;
  /** Milliseconds after that. */
  readonly delay: number;
}

type Start = (flags: readonly string[], kill: Kill | undefined) => Promise<Ended>;
interface Ended {
  readonly killed: boolean;
  readonly isMidway: boolean;
  /** Milliseconds from the end of the reply to the end of the process. */
  readonly tail: number;
}

async function catchUp(sandbox: Sandbox, start: Start, file: string, tally: Tally): Promise<void> {
  await start([], undefined);
  const db = openDatabase(file);
  try {
    const copy = db.prepare('SELECT message_id, read_status FROM message').all() as {
      readonly message_id: string;
      readonly read_status: string;
    }[];
    const copied = new Set(copy.map((row) => `${row.message_id} ${row.read_status}`));
    const alive = sandbox.messages(mailbox).filter(({ availability }) => availability === 'Alive');
    const missing = alive.filter(({ id, readStatus }) => !copied.has(`${id} ${readStatus}`)).length;
    tally.lost += missing;
    tally.duplicated += copy.length - (alive.length - missing);
    tally.compared += 1;
  } finally {
    db.close();
  }
}

async function addTexts(sandbox: Sandbox, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await sandbox.control('POST', '/triggers/sms', {
      to: '102',
      text: `text ${index} ${'and more '.repeat(20)}`,
    });
  }
}

/** Some messages are read, and the oldest are purged. */
async function changeSome(sandbox: Sandbox, token: string, random: () => number): Promise<void> {
  const alive = sandbox.messages(mailbox).filter(({ availability }) => availability === 'Alive');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const change = async (id: string | undefined, query: string, request: RequestInit): Promise<void> => {
    const path = `${sandbox.url}/restapi/v1.0/account/~/extension/~/message-store/${id}${query}`;
    await (await sandbox.fetch(new Request(path, { headers, ...request }))).text();
  };
  const any = (): string | undefined => idOf(alive[Math.floor(random() * alive.length)]);
  for (let index = 0; index < 4; index += 1) {
    await change(any(), '', { method: 'PUT', body: '{"readStatus":"Read"}' });
  }
  for (let index = 0; index < news / 2; index += 1) {
    await change(any(), '', { method: 'DELETE' });
    await change(any(), '?purge=true', { method: 'DELETE' });
  }
}

function idOf(message: { readonly id: unknown } | undefined): string | undefined {
  return message === undefined ? undefined : String(message.id);
}

function starter(accessToken: string, paced: Paced, file: string): Start {
  return async (flags, kill) => {
    const { child, ended } = startUcctl(['sync', '--on-delete', 'purge', '--database', file, ...flags], {
      env: { HOME: join(file, '..'), UCCTL_BASE_URL: paced.url, UCCTL_TOKEN: accessToken },
    });
    let lastByte = 0;
    let isMidway = false;
    let isDue = kill !== undefined;
    let timer: NodeJS.Timeout | undefined;
    const end = (): void => {
      isMidway = paced.busy > 0;
      child.kill('SIGKILL');
    };
    paced.onProgress = (part) => {
      if (part === 1) lastByte = performance.now();
      if (!isDue || !kill || part < kill.at) return;
      isDue = false;
      if (part < 1) end();
      else timer = setTimeout(end, kill.delay);
    };
    const { exit, signal, stderr } = await ended;
    clearTimeout(timer);
    if (signal === null && exit !== 0) throw new Error(`ucctl sync: ${stderr}`);
    return { killed: signal === 'SIGKILL', isMidway, tail: performance.now() - lastByte };
  };
}

interface Paced {
  readonly url: string;
  /** Replies to sync requests that are being sent. */
  busy: number;
  /** Called before each piece of a reply to a sync request, and after the last one, with the part that has been sent. */
  onProgress: (part: number) => void;
  close(): Promise<void>;
}

/** The sandbox behind a proxy that sends sync replies in small pieces, so that a kill can occur between any two. */
async function servePaced(sandbox: Sandbox): Promise<Paced> {
  const paced = {
    url: '',
    busy: 0,
    onProgress: (_part: number): void => undefined,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // The reply to a process that was killed may end after the start of the next process.
    const { onProgress } = paced;
    const reply = await sandbox.fetch(
      new Request(sandbox.url + (request.url ?? ''), {
        headers: { authorization: request.headers.authorization ?? '' },
      }),
    );
    const body = Buffer.from(await reply.arrayBuffer());
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    // The first request of a new copy only identifies the owner of the mailbox.
    const isSync =
      (request.url ?? '').includes('/message-sync') && !/recordCount=1(&|$)/.test(request.url ?? '');
    if (isSync) paced.busy += 1;
    // Short replies, too, have so many pieces that an early kill occurs before the last one.
    const piece = Math.min(8192, Math.ceil(body.length / 16));
    for (let from = 0; from < body.length && !response.destroyed; from += piece) {
      if (isSync) onProgress(from / body.length);
      response.write(body.subarray(from, from + piece));
      // Simulates a slow service, so that most kills occur during the reply.
      await pause(1);
    }
    if (isSync) paced.busy -= 1;
    response.end();
    if (isSync) onProgress(1);
  };
  const server: Server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  paced.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return paced;
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
