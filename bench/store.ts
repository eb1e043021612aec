import { createReadStream, chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from } from 'pg-copy-streams';
import { openMirror, sqliteArchive } from '../src/features/mirror/index.ts';
import { PostgresCalls } from '../src/features/mirror/postgres/calls.ts';
import { PostgresMessages } from '../src/features/mirror/postgres/store.ts';
import type { CallLogRecord } from '../src/contract/call-log.ts';
import type { Archive } from '../src/store/archive.ts';
import type { CallStore, CallStream } from '../src/store/call-store.ts';
import type { Rows } from '../src/store/message-store.ts';
import { connectStore, initializeStore, newestMigration, type Postgres } from '../src/store/index.ts';
import { startPostgres } from '../test/support/postgres-cluster.ts';
import { Dice } from '../test/support/dice.ts';
import { resultOf } from './measure.ts';
import type { Result } from './report.ts';
import { scaled } from './scaled.ts';

/** Call records of the two sizes. The reports run on the second. */
const callSizes = [scaled(300_000, 3000), scaled(1_000_000, 10_000)] as const;
const messages = scaled(1_000_000, 10_000);
/** Records of a page of the call log. */
const page = 1000;
const perMailbox = 1000;
const searchesOfClass = 40;
const rounds = 5;
const columns = `record_id, session_id, start_time, duration_seconds, type, direction, action, result, from_number, from_extension, from_name,
  to_number, to_extension, to_name, extension_id, recording_id, message_id, transport, last_modified_time, numbers, unfinished, legs, raw`;

/** The archive in PostgreSQL, compared with COPY alone and with SQLite. */
export async function store(): Promise<readonly Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-bench-store-'));
  chmodSync(folder, 0o777);
  const settings = {
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    shared_buffers: '256MB',
    max_wal_size: '4GB',
  };
  const server = await startPostgres({ below: tmpdir(), settings });
  const db = connectStore({ url: `${server.url}/postgres?statement_timeout=1800000`, source: '', env: {} });
  try {
    await initializeStore(db, {});
    const inStore: Archive = {
      messages: new PostgresMessages(db, newestMigration()),
      calls: new PostgresCalls(db, newestMigration()),
      media: undefined as never,
    };
    const file = join(folder, 'copy.sqlite');
    const sqlite = openMirror(file);
    const inFile = sqliteArchive(sqlite, file);
    await inFile.calls.prepare();
    const results: Result[] = [];
    for (const size of callSizes) results.push(await copyRatio(db, inStore.calls, size, folder));
    await load(inFile.calls, callSizes[1]);
    await db.script('analyze');
    sqlite.exec('ANALYZE');
    results.push(...(await reports(inStore, inFile)));
    sqlite.close();
    await fillMessages(inStore);
    await db.script('vacuum analyze message');
    results.push(...(await searches(inStore)));
    return results;
  } finally {
    await db.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Call records as pages of the service: parsed JSON of the view Detailed. */
function* pages(count: number): Generator<readonly CallLogRecord[], void, undefined> {
  const dice = new Dice(3);
  const base = 'https://service.example/restapi/v1.0/account/1';
  const newest = Date.UTC(2026, 0, 5, 9);
  for (let first = 0; first < count; first += page) {
    yield Array.from({ length: Math.min(page, count - first) }, (_, more) => {
      const index = first + more;
      const extension = 100 + Math.floor(dice.next() * 2000);
      const missed = dice.next() < 0.2;
      const outside = {
        phoneNumber: `+1555${1_000_000 + Math.floor(dice.next() * 500_000)}`,
        name: 'Caller',
      };
      const own = { extensionNumber: String(extension), name: `Person ${extension}` };
      const isInbound = dice.next() < 0.6;
      const part = {
        startTime: new Date(newest - index * 20_000).toISOString(),
        duration: Math.floor(dice.next() * 900),
        type: 'Voice',
        direction: isInbound ? 'Inbound' : 'Outbound',
        action: isInbound ? 'Phone Call' : 'VoIP Call',
        result: missed ? 'Missed' : 'Accepted',
        from: isInbound ? outside : own,
        to: isInbound ? own : outside,
        extension: { id: 400_000 + extension, uri: `${base}/extension/${400_000 + extension}` },
        transport: 'PSTN',
      };
      const id = `c${10_000_000 + index}`;
      const legs = [{ ...part, legType: 'Accept', master: true }];
      const text = JSON.stringify({
        uri: `${base}/call-log/${id}`,
        id,
        sessionId: `${index}`,
        ...part,
        legs,
      });
      return JSON.parse(text) as CallLogRecord;
    });
  }
}

const stream: CallStream = {
  owner: '/account/1',
  dateFrom: 0,
  completeTo: undefined,
  pending: undefined,
  syncedAt: undefined,
};

/** Stores all pages as `calllog sync` does. @returns seconds without the time to make the records. */
async function load(calls: CallStore, count: number): Promise<number> {
  let seconds = 0;
  for (const records of pages(count))
    seconds += await secondsOf(() => calls.apply('account', records, stream, () => false));
  return seconds;
}

/** The time of one COPY of the same rows into a table with the same indexes, relative to that of the pages. */
async function copyRatio(db: Postgres, calls: CallStore, count: number, folder: string): Promise<Result> {
  await db.script('truncate call_record; drop table if exists call_plain; checkpoint');
  const pagesTake = await load(calls, count);
  const rows = join(folder, 'calls.copy');
  await db.script(`copy (select scope, ${columns} from call_record order by pk) to '${rows}'`);
  await db.script('create table call_plain (like call_record including all); checkpoint');
  const alone = await secondsOf(() =>
    db.session(async ({ client }) => {
      const target = client.query(from(`copy call_plain (scope, ${columns}) from stdin`));
      await pipeline(createReadStream(rows), target);
    }),
  );
  const [row] = await db.query<{ one: number; other: number }>(
    'select (select count(*) from call_record) as one, (select count(*) from call_plain) as other',
  );
  if (row?.one !== count || row.other !== count) throw new Error('bench: rows are missing');
  rmSync(rows, { force: true });
  await db.script('drop table call_plain');
  return resultOf(`${count} call records, of COPY alone`, [alone / pagesTake], 0.6, 'at least', 'x');
}

/** Reports that run on both stores without changes. */
const reportQueries: Readonly<Record<string, string>> = {
  'calls of a month by extension and result': `select extension_id, result, count(*) as calls, sum(duration_seconds) as seconds from v_call
    where start_time >= '2025-12-01' and start_time < '2026-01-01' group by extension_id, result order by extension_id, result`,
  'all calls by hour':
    'select substr(start_time, 12, 2) as hour, count(*) as calls from v_call group by substr(start_time, 12, 2) order by 1',
  'calls of one extension': `select start_time, result, duration_seconds from v_call where extension_id = '400500' order by start_time`,
};

async function reports(inStore: Archive, inFile: Archive): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const [name, sql] of Object.entries(reportQueries)) {
    const time = (archive: Archive) => secondsOf(async () => drain((await archive.messages.query(sql)).rows));
    await time(inStore);
    await time(inFile);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) ratios.push((await time(inStore)) / (await time(inFile)));
    results.push(resultOf(`report: ${name}, of SQLite`, ratios, 1.1, 'at most', 'x'));
  }
  return results;
}

async function drain(rows: Rows<unknown>): Promise<void> {
  for await (const _ of rows);
}

/**
 * Fills the archive by full syncs of many mailboxes, with texts from a vocabulary of 20,000 words, few of which are
 * frequent.
 */
async function fillMessages({ messages: archive }: Archive): Promise<void> {
  const dice = new Dice(5);
  for (let first = 0; first < messages; first += perMailbox) {
    const mailbox = String(1_000_000 + first / perMailbox);
    const opened = await archive.openStream(mailbox, {});
    await archive.apply(
      opened,
      { onDelete: 'mark', full: true, now: '2026-01-05T09:00:00.000Z' },
      async (sink) => {
        const count = Math.min(perMailbox, messages - first);
        await sink.records(Array.from({ length: count }, (_, more) => messageText(first + more, dice)));
        return { syncToken: 't', syncTime: undefined };
      },
    );
  }
}

function messageText(index: number, dice: Dice): string {
  const time = new Date(Date.UTC(2026, 0, 5, 9) - index * 7000).toISOString();
  const text = Array.from({ length: 12 }, () => wordOf(dice)).join(' ');
  // A word that occurs in one of 1,000 messages.
  const rare = index % 1000 === 0 ? ' milestone' : '';
  return JSON.stringify({
    id: 40_000_000_000 + index,
    type: 'SMS',
    direction: index % 2 === 0 ? 'Inbound' : 'Outbound',
    availability: 'Alive',
    readStatus: 'Read',
    messageStatus: 'Received',
    creationTime: time,
    lastModifiedTime: time,
    from: { phoneNumber: `+1555${1_000_000 + (index % 5000)}` },
    to: [{ phoneNumber: '+16505550112', name: 'Alice Walker' }],
    subject: `${text}${rare}`,
    attachments: [],
  });
}

/** One of 20,000 words. Squaring the random number makes low numbers frequent. */
function wordOf(dice: Dice): string {
  return `w${Math.floor(dice.next() ** 3 * 20_000)}`;
}

/** The classes of searches. */
const searchClasses: Readonly<Record<string, (dice: Dice) => string>> = {
  'two frequent words': (dice) => `w${Math.floor(dice.next() * 5)} w${5 + Math.floor(dice.next() * 5)}`,
  'a word of 1 in 1,000 messages': () => 'milestone',
  'a random word': (dice) => wordOf(dice),
  'a beginning': (dice) => `w12${Math.floor(dice.next() * 10)}*`,
  'a frequent and a rare word': (dice) =>
    `w${Math.floor(dice.next() * 5)} w${15_000 + Math.floor(dice.next() * 5000)}`,
  'two rare words': (dice) =>
    `w${15_000 + Math.floor(dice.next() * 5000)} w${15_000 + Math.floor(dice.next() * 5000)}`,
  'a frequent word in one mailbox': (dice) =>
    `mailbox:${1_000_000 + Math.floor((dice.next() * messages) / perMailbox)} w${Math.floor(dice.next() * 5)}`,
};

async function searches({ messages: archive }: Archive): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const [name, make] of Object.entries(searchClasses)) {
    const dice = new Dice(9);
    const times: number[] = [];
    for (let count = 0; count < searchesOfClass; count += 1) {
      const text = make(dice);
      times.push(
        1000 * (await secondsOf(async () => drain(await archive.search(text, 50, () => undefined)))),
      );
    }
    const p95 = times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN;
    results.push(resultOf(`search for ${name}, 95th percentile`, [p95], 50, 'at most', ' ms'));
  }
  return results;
}
