import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/platform/sqlite.ts';
import { startUcctl } from '../../test/support/process.ts';
import { type CallLogService, type ServedCall, serveCallLog } from './call-log-service.ts';
import type { Result, Size } from './result.ts';

const sizes = { full: { kills: 100, calls: 20_000 }, reduced: { kills: 4, calls: 4000 } } as const;
/** Milliseconds before the start of the proof in which the calls begin. It is shorter than the overlap of a sync. */
const period = 20 * 3_600_000;
const start = Date.now() - period;

/**
 * Ends `ucctl calllog sync` by SIGKILL at times spread over its pages. After each kill the local copy must be
 * consistent, and a final sync without a kill must store every call once, including calls that began in the meantime.
 */
export async function run(size: Size = 'full'): Promise<readonly Result[]> {
  const { kills, calls: count } = sizes[size];
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-proof-'));
  const calls: ServedCall[] = [];
  while (calls.length < count) addCall(calls);
  const log = await serveCallLog(calls);
  const tally = { landed: 0, damaged: 0, partial: 0 };
  try {
    let file = '';
    for (let round = 0; round < kills; round += 1) {
      // Every other kill uses a new copy: only a new copy reads several pages in sequence.
      if (round % 2 === 0) file = join(folder, `${round}.sqlite`);
      addCall(calls);
      const { killed, rows, isWhole } = await sync(log, file, 1 + (round % 4));
      if (killed) tally.landed += 1;
      if (rows > 0) tally.partial += 1;
      if (!isWhole) tally.damaged += 1;
    }
    const last = await sync(log, file, undefined);
    const ids = new Set(last.ids);
    const lost = calls.filter(({ id }) => !ids.has(id)).length;
    const doubled = last.ids.length - ids.size;
    return [
      {
        promise: 'a sync of the call log that is killed loses and duplicates no call',
        figure: `${tally.landed} kills, ${tally.partial} after which a part was stored: ${lost} of ${calls.length} lost, ${doubled} duplicated, ${tally.damaged} damaged`,
        holds: tally.landed >= kills / 2 && tally.partial > 0 && lost + doubled + tally.damaged === 0,
      },
    ];
  } finally {
    await log.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Ended {
  readonly killed: boolean;
  readonly isWhole: boolean;
  readonly rows: number;
  readonly ids: readonly string[];
}

/** A call that begins a second after the last one. */
function addCall(calls: ServedCall[]): void {
  const startedAt = start + calls.length * 1000;
  calls.push({ id: `c${calls.length}`, startedAt, changedAt: startedAt, result: 'Accepted' });
}

/** Runs the sync to its end, or kills it at the request for its nth page. */
async function sync(log: CallLogService, file: string, killAtPage: number | undefined): Promise<Ended> {
  const { child, ended } = startUcctl(['calllog', 'sync', '--database', file], {
    env: { HOME: join(file, '..'), UCCTL_BASE_URL: log.url, UCCTL_TOKEN: 'token-of-the-proof' },
  });
  let page = 0;
  log.onPage = () => {
    page += 1;
    if (page === killAtPage) child.kill('SIGKILL');
  };
  const { exit, signal, stderr } = await ended;
  if (signal === null && exit !== 0) throw new Error(`ucctl calllog sync: ${stderr}`);
  return { killed: signal === 'SIGKILL', ...examine(file) };
}

/** The calls in the copy at this moment. A copy that does not exist yet counts as consistent. */
function examine(file: string): Omit<Ended, 'killed'> {
  const db = openDatabase(file);
  try {
    const { integrity_check: check } = db.prepare('PRAGMA integrity_check').get() as {
      readonly integrity_check: string;
    };
    const isBegun =
      db.prepare("SELECT 1 AS n FROM sqlite_master WHERE name = 'call_record'").get() !== undefined;
    const rows = isBegun ? db.prepare('SELECT record_id AS id FROM call_record').all() : [];
    const ids = (rows as { readonly id: string }[]).map(({ id }) => id);
    return { isWhole: check === 'ok' && new Set(ids).size === ids.length, rows: ids.length, ids };
  } finally {
    db.close();
  }
}
