import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMirror } from '../src/features/mirror/index.ts';
import { searchMessages } from '../src/features/mirror/search.ts';
import { MessageTable } from '../src/features/mirror/message-table.ts';
import { readRecord, type MessageColumns } from '../src/features/mirror/record.ts';
import { RecordSplitter } from '../src/features/mirror/record-splitter.ts';
import { CachedStatements } from '../src/platform/cached-statements.ts';
import { transaction } from '../src/platform/sqlite.ts';
import { openReadOnly } from '../src/platform/sqlite/read-only.ts';
import { record } from './made-messages.mjs';
import { spread } from './measure.ts';
import type { Result } from './report.ts';
import { scaled } from './scaled.ts';

/** Records of the large reply. */
const records = scaled(1_000_000, 10_000);
/** Maximum number of records for which JSON.parse of the whole reply works. */
const parsed = Math.min(records, 500_000);
const rounds = 3;
const batch = 2000;
const chunk = 64 * 1024;

/**
 * One unpaged reply into the mailbox copy, compared with SQLite alone; the parser compared with JSON.parse; searches
 * in the copy.
 */
export async function sync(): Promise<readonly Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-bench-sync-'));
  try {
    const parser = parserRatio();
    const alone = sqliteAlone(join(folder, 'alone.sqlite'));
    const file = join(folder, 'copy.sqlite');
    const whole = await copyAll(file);
    const perSecond = records / whole.seconds;
    return [
      {
        name: 'parser, of JSON.parse of the whole',
        ...numbers(parser),
        goal: 1.2,
        sense: 'at least',
        unit: 'x',
      },
      {
        name: 'ucctl sync, rows per second of SQLite alone',
        ...numbers([perSecond / alone]),
        goal: 0.6,
        sense: 'at least',
        unit: 'x',
      },
      {
        name: 'ucctl sync, peak memory',
        ...numbers([whole.peakMegabytes]),
        goal: 200,
        sense: 'at most',
        unit: ' MB',
      },
      {
        name: 'search, 95th percentile',
        ...numbers([searchTime(file)]),
        goal: 50,
        sense: 'at most',
        unit: ' ms',
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function numbers(values: readonly number[]): Pick<Result, 'value' | 'min' | 'max' | 'noise'> {
  const { median, min, max, noise } = spread(values);
  return { value: median, min, max, noise };
}

function parserRatio(): readonly number[] {
  const pieces: Buffer[] = [Buffer.from('{"records":[')];
  for (let index = 0; index < parsed; index += 1)
    pieces.push(Buffer.from((index === 0 ? '' : ',') + record(index)));
  const bytes = Buffer.concat([...pieces, Buffer.from(']}')]);
  pieces.length = 0;
  return Array.from({ length: rounds }, () => {
    const ours = seconds(() => {
      const splitter = new RecordSplitter();
      let count = 0;
      for (let from = 0; from < bytes.length; from += chunk) {
        for (const text of splitter.push(bytes.subarray(from, from + chunk))) {
          JSON.parse(text);
          count += 1;
        }
      }
      splitter.end();
      if (count !== parsed) throw new Error(`bench: ${count} records of ${parsed}`);
    });
    // A client without a streaming parser also receives and concatenates all chunks before it parses them.
    const whole = seconds(() => {
      const chunks: Buffer[] = [];
      for (let from = 0; from < bytes.length; from += chunk) chunks.push(bytes.subarray(from, from + chunk));
      const { records: all } = JSON.parse(Buffer.concat(chunks).toString()) as {
        readonly records: readonly unknown[];
      };
      if (all.length !== parsed) throw new Error('bench: JSON.parse lost records');
    });
    return whole / ours;
  });
}

/** Rows per second of the same tables, indexes and full-text search, from records that are already parsed. */
function sqliteAlone(file: string): number {
  const db = openMirror(file);
  let spent = 0;
  try {
    db.exec('BEGIN IMMEDIATE');
    const table = new MessageTable(new CachedStatements(db), '7', 1);
    for (let from = 0; from < records; from += batch) {
      const some = Array.from({ length: Math.min(batch, records - from) }, (_, index) =>
        readRecord(record(from + index)),
      );
      const messages = some.filter((one): one is MessageColumns => one.kind === 'message');
      spent += seconds(() => table.insert(messages));
    }
    spent += seconds(() => {
      db.exec('COMMIT');
      transaction(db, () => undefined);
    });
    return records / spent;
  } finally {
    db.close();
  }
}

/** The whole program, as a user runs it. */
async function copyAll(file: string): Promise<{ readonly seconds: number; readonly peakMegabytes: number }> {
  const server = spawn(process.execPath, ['bench/mailbox-server.mjs', String(records)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const port = await new Promise<string>((resolve) => {
      server.stdout.once('data', (text: Buffer) => resolve(text.toString().trim()));
    });
    const start = performance.now();
    const child = spawn(process.execPath, ['bin/ucctl.cjs', 'sync', '--database', file, '--timeout', '600'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        HOME: join(file, '..'),
        UCCTL_BASE_URL: `http://127.0.0.1:${port}`,
        UCCTL_TOKEN: 'bench',
      },
    });
    let peak = 0;
    const watch = setInterval(() => {
      readFile(`/proc/${child.pid}/status`, 'utf8').then(
        (text) => (peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024)),
        () => undefined,
      );
    }, 50);
    const exit = await new Promise<number | null>((resolve) => {
      child.on('close', resolve);
    });
    clearInterval(watch);
    if (exit !== 0) throw new Error(`bench: ucctl sync ended with ${exit}`);
    return { seconds: (performance.now() - start) / 1000, peakMegabytes: peak };
  } finally {
    server.kill();
  }
}

function searchTime(file: string): number {
  const db = openReadOnly(file);
  try {
    const questions = [
      'refund',
      'invoice meeting',
      'from:+1555100 refund',
      'parcel after:2025-12-01',
      '"call tomorrow"',
      'signed -late',
      'from:+15551004321',
      'type:sms is:read',
      'to:+16505550112 refund',
      'from:+1999 refund',
      'is:unread invoice',
      'ref* mailbox:7',
    ];
    const times = Array.from({ length: 200 }, (_, index) => {
      const question = questions[index % questions.length] ?? '';
      return seconds(() => [...searchMessages(db, question, 50, (text) => Date.parse(text))]) * 1000;
    });
    return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN;
  } finally {
    db.close();
  }
}

function seconds(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}
