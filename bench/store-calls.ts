import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { from, to, type CopyToStreamQuery } from 'pg-copy-streams';
import type { CallLogRecord } from '../src/contract/call-log.ts';
import type { Archive } from '../src/store/archive.ts';
import type { CallStore, CallStream } from '../src/store/call-store.ts';
import type { Postgres } from '../src/store/index.ts';
import { Dice } from '../test/support/dice.ts';
import { resultOf, spread } from './measure.ts';
import { showProgress } from './progress.ts';
import type { Result } from './report.ts';
import { scaled } from './scaled.ts';
import { drain, secondsOf } from './store-timing.ts';

/** Call records of the two sizes. The reports run on the second. */
const callSizes = [scaled(300_000, 3000), scaled(1_000_000, 10_000)] as const;
/** Records of a page of the call log. */
const page = 1000;
/** Records that both ways store alternately, so that changes of the load affect both alike. */
const alternately = scaled(50_000, 1000);
/** Records of the warm-up. */
const warmUp = scaled(20_000, 1000);
const rounds = 5;
const columns = `record_id, session_id, start_time, duration_seconds, type, direction, action, result, from_number, from_extension, from_name,
  to_number, to_extension, to_name, extension_id, recording_id, message_id, transport, last_modified_time, numbers, unfinished, legs, raw`;

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
  // A list of calls that is being read.
  pending: { from: 0, to: 1, target: 1 },
  syncedAt: undefined,
};

/** Stores all pages as `calllog sync` does. */
export async function loadCalls(calls: CallStore): Promise<void> {
  let stored = 0;
  for (const records of pages(callSizes[1])) {
    await calls.apply('account', records, stream, () => false);
    stored += records.length;
    if (stored % alternately === 0) showProgress(`SQLite: ${stored} call records`);
  }
}

/**
 * The time of COPY of the same rows into a table with the same indexes, relative to that of the pages. Both tables
 * grow alternately, after a warm-up. The spread of a size is that of its blocks.
 */
export async function copyRatios(db: Postgres, calls: CallStore): Promise<readonly Result[]> {
  await db.script('create table call_plain (like call_record including all); checkpoint');
  for (const records of pages(warmUp)) await calls.apply('account', records, stream, () => false);
  await copyAlone(db, warmUp);
  await db.script('truncate call_record, call_plain');
  const blocks: Block[] = [];
  const results: Result[] = [];
  let [stored, inPages, inBlock] = [0, 0, 0];
  for (const records of pages(callSizes[1])) {
    inPages += await secondsOf(() => calls.apply('account', records, stream, () => false));
    stored += records.length;
    inBlock += records.length;
    if (inBlock < alternately && !callSizes.includes(stored)) continue;
    blocks.push({ pages: inPages, alone: await copyAlone(db, inBlock) });
    [inPages, inBlock] = [0, 0];
    showProgress(`PostgreSQL: ${stored} call records, ${ratioOf(blocks).toFixed(2)} of COPY alone`);
    if (callSizes.includes(stored)) results.push(copyResult(stored, blocks));
  }
  await db.script('drop table call_plain');
  return results;
}

interface Block {
  readonly pages: number;
  readonly alone: number;
}

function ratioOf(blocks: readonly Block[]): number {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return sum(blocks.map(({ alone }) => alone)) / sum(blocks.map((block) => block.pages));
}

function copyResult(size: number, blocks: readonly Block[]): Result {
  const { min, max, noise } = spread(blocks.map((block) => block.alone / block.pages));
  const name = `${size} call records, of COPY alone`;
  return { name, value: ratioOf(blocks), min, max, noise, goal: 0.6, sense: 'at least', unit: 'x' };
}

/** Copies the newest rows into the other table with one COPY. @returns the time of the COPY, seconds. */
async function copyAlone(db: Postgres, count: number): Promise<number> {
  const rows = await db.session(async ({ client }) => {
    const source = client.query<CopyToStreamQuery & { callback?: () => void }>(
      to(`copy (select scope, ${columns} from call_record order by pk desc limit ${count}) to stdout`),
    );
    const bytes = await buffer(source);
    // The library sets the callback, which ends the timer of `query_timeout`, but never calls it for COPY TO.
    source.callback?.();
    return bytes;
  });
  const seconds = await secondsOf(() =>
    db.session(async ({ client }) => {
      const target = client.query(from(`copy call_plain (scope, ${columns}) from stdin`));
      await pipeline(Readable.from(chunksOf(rows)), target);
    }),
  );
  const [row] = await db.query<{ one: number; other: number }>(
    'select (select count(*) from call_record) as one, (select count(*) from call_plain) as other',
  );
  if (row?.one !== row?.other) throw new Error('bench: rows are missing');
  return seconds;
}

function* chunksOf(whole: Buffer): Generator<Buffer, void, undefined> {
  const size = 64 * 1024;
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
}

/** Reports that run on both stores without changes. */
const reportQueries: Readonly<Record<string, string>> = {
  'calls of a month by extension and result': `select extension_id, result, count(*) as calls, sum(duration_seconds) as seconds from v_call
    where start_time >= '2025-12-01' and start_time < '2026-01-01' group by extension_id, result order by extension_id, result`,
  'all calls by hour':
    'select substr(start_time, 12, 2) as hour, count(*) as calls from v_call group by substr(start_time, 12, 2) order by 1',
  'calls of one extension': `select start_time, result, duration_seconds from v_call where extension_id = '400500' order by start_time`,
};

/** The time of each report on the PostgreSQL store, relative to SQLite. */
export async function reports(inStore: Archive, inFile: Archive): Promise<readonly Result[]> {
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
