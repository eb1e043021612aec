import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { parse } from 'csv-parse';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { openMirror, SqliteMessages, syncScope } from '../../src/features/mirror/index.ts';
import { startUcctl } from '../../test/support/process.ts';
import type { Result, Size } from './result.ts';

/** What a reader must find for each message. */
interface Sample {
  readonly id: string;
  readonly type: string;
  readonly direction: string;
  readonly creationTime: string;
  readonly fromNumber: string;
  readonly conversationId: string;
  readonly text: string;
}

interface Found {
  readonly count: number;
  readonly digest: string;
}

const formats = ['csv', 'ndjson', 'parquet', 'mbox', 'html'] as const;
type Format = (typeof formats)[number] | 'sqlite';

/** The limit of peak memory for an export of any size. */
const mostMegabytes = 250;
const pieces = [
  'plain words, with commas',
  'a "quoted" word; and\r\na second line',
  '=SUM(A1:A9)',
  'From here on\nFrom: nobody\n\n.',
  'Grüße aus Köln 😀 日本語',
  '<b>bold</b> &amp; <script>alert(1)</script>',
  "it's -1 % of '\t' tabs",
  '@home +1 ',
] as const;

/** Programs that read the exported files; undefined for a program that is not installed. */
export function python(): string | undefined {
  return spawnSync('python3', ['--version']).status === 0 ? 'python3' : undefined;
}

/** Exports a mailbox to each format with the program, and reads every message back with an independent reader. */
export async function run(size: Size = 'full'): Promise<readonly Result[]> {
  const count = Number(env['UCCTL_PROOF_MESSAGES'] ?? (size === 'full' ? 100_000 : 500));
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-export-'));
  const database = join(folder, 'mailbox.sqlite');
  try {
    await fill(database, count);
    const results: Result[] = [];
    for (const format of formats) results.push(await proveFormat(format, { folder, database, count }));
    for (const reader of sqliteReaders()) {
      const found = await reader.read(database);
      results.push(resultOf('sqlite', reader.name, found, count, ''));
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function proveFormat(
  format: (typeof formats)[number],
  { folder, database, count }: { readonly folder: string; readonly database: string; readonly count: number },
): Promise<Result> {
  const target = join(folder, `out.${format}`);
  const args = ['sync', 'export', '--format', format, '--to', target, '--database', database, '-o', 'json'];
  const { child, ended } = startUcctl(args, { env: { HOME: folder } });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, megabytesOf(child.pid));
  }, 20);
  const { exit, stderr, milliseconds } = await ended;
  clearInterval(watch);
  if (exit !== 0) throw new Error(`ucctl sync export: ${stderr}`);
  const reader = readerOf(format);
  const taken = `; written in ${(milliseconds / 1000).toFixed(1)} s with ${peak.toFixed(0)} MB`;
  if (!reader)
    return { promise: promiseOf(format), figure: `not read: python3 is missing${taken}`, holds: false };
  const result = resultOf(format, reader.name, await reader.read(target), count, taken);
  return { ...result, holds: result.holds && peak < mostMegabytes };
}

function resultOf(format: Format, reader: string, found: Found, count: number, more: string): Result {
  const wanted = expected(format, count);
  const isEqual = found.count === wanted.count && found.digest === wanted.digest;
  return {
    promise: promiseOf(format),
    figure: `${found.count} of ${count} read by ${reader}, ${isEqual ? 'all equal' : 'DIFFERENT'}${more}`,
    holds: isEqual,
  };
}

function promiseOf(format: Format): string {
  return format === 'sqlite'
    ? 'any SQLite tool can read the copy'
    : `what is exported as ${format} is complete`;
}

interface Reader {
  readonly name: string;
  readonly read: (path: string) => Promise<Found>;
}

function readerOf(format: (typeof formats)[number]): Reader | undefined {
  if (format === 'parquet') return { name: 'hyparquet', read: readParquet };
  const program = python();
  if (program === undefined) return format === 'csv' ? { name: 'csv-parse', read: readCsv } : undefined;
  return { name: `the ${format} reader of Python`, read: (path) => byPython(program, format, path) };
}

function sqliteReaders(): readonly Reader[] {
  const program = python();
  const hasTool = spawnSync('sqlite3', ['--version']).status === 0;
  return [
    ...(hasTool ? [{ name: 'the sqlite3 tool', read: readBySqliteTool }] : []),
    ...(program === undefined
      ? []
      : [{ name: 'sqlite3 of Python', read: (path: string) => byPython(program, 'sqlite', path) }]),
  ];
}

async function byPython(program: string, format: Format, path: string): Promise<Found> {
  return JSON.parse(await outputOf(program, ['scripts/proofs/read-export.py', format, path])) as Found;
}

async function readBySqliteTool(path: string): Promise<Found> {
  const columns = 'id, type, direction, creation_time, from_number, conversation_id, text';
  const sql = `SELECT ${columns} FROM v_message ORDER BY creation_time`;
  const text = await outputOf('sqlite3', ['-readonly', '-separator', '\x1F', '-newline', '\x1E', path, sql]);
  return { count: text.split('\x1E').length - 1, digest: createHash('sha256').update(text).digest('hex') };
}

async function outputOf(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  const exit = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  if (exit !== 0) throw new Error(`${program} ended with ${exit}`);
  return Buffer.concat(parts).toString();
}

async function readCsv(path: string): Promise<Found> {
  const all = new Digest();
  const rows = createReadStream(path).pipe(parse({ columns: true })) as AsyncIterable<Sample>;
  for await (const row of rows) all.add(fieldsOf(row));
  return all.found();
}

async function readParquet(path: string): Promise<Found> {
  const all = new Digest();
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  let rowStart = 0;
  for (const { num_rows: rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(rows);
    for (const row of await parquetReadObjects({ file, metadata, rowStart, rowEnd })) {
      const time = row['creation_time'] as Date;
      const text = (name: string): string => String(row[name]);
      all.add([
        text('id'),
        text('type'),
        text('direction'),
        time.toISOString(),
        text('from_number'),
        text('conversation_id'),
        text('text'),
      ]);
    }
    rowStart = rowEnd;
  }
  return all.found();
}

class Digest {
  readonly #hash = createHash('sha256');
  #count = 0;

  add(fields: readonly string[]): void {
    this.#count += 1;
    this.#hash.update(`${fields.join('\x1F')}\x1E`);
  }

  found(): Found {
    return { count: this.#count, digest: this.#hash.digest('hex') };
  }
}

/** What a reader of this format must find. */
function expected(format: Format, count: number): Found {
  const all = new Digest();
  if (format === 'html') {
    const messages = Array.from({ length: count }, (_, index) => sample(index));
    const texts = messages.map(({ creationTime, text }) => Buffer.from(`${creationTime}\x1F${text}`));
    for (const one of texts.sort((a, b) => Buffer.compare(a, b))) all.add([one.toString()]);
    return all.found();
  }
  for (let index = 0; index < count; index += 1) all.add(fieldsIn(format, sample(index)));
  return all.found();
}

function fieldsIn(format: Format, one: Sample): readonly string[] {
  if (format === 'mbox') return [one.id, String(Date.parse(one.creationTime) / 1000), one.text];
  // A spreadsheet would run this text as a formula, so the CSV has an apostrophe before it.
  if (format === 'csv' && /^[=+\-@\t\r]/.test(one.text)) return fieldsOf({ ...one, text: `'${one.text}` });
  return fieldsOf(one);
}

function fieldsOf(one: Sample): readonly string[] {
  return [one.id, one.type, one.direction, one.creationTime, one.fromNumber, one.conversationId, one.text];
}

function sample(index: number): Sample {
  return {
    id: String(9_007_199_254_740_993n + BigInt(index)),
    type: index % 3 === 0 ? 'Pager' : 'SMS',
    direction: index % 2 === 0 ? 'Inbound' : 'Outbound',
    creationTime: new Date(Date.UTC(2025, 0, 1) + index * 1000).toISOString(),
    fromNumber: `+1555${String(1_000_000 + (index % 5000))}`,
    conversationId: String(8_031_152_018_000_000_000n + BigInt(index % 700)),
    text: `${pieces[index % pieces.length] ?? ''} ${index}`,
  };
}

/** Fills a mailbox copy in the same way as a sync. */
async function fill(database: string, count: number): Promise<void> {
  const db = openMirror(database);
  try {
    await syncScope(new SqliteMessages(db, database), () => Promise.resolve(reply(count)), {
      extensionId: '7',
      scope: {},
      onDelete: 'mark',
      now: () => Date.UTC(2026, 0, 5),
    });
  } finally {
    db.close();
  }
}

async function* reply(count: number): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  yield encoder.encode('{"records":[');
  for (let index = 0; index < count; index += 1) {
    yield encoder.encode((index === 0 ? '' : ',') + record(sample(index)));
  }
  const info = { syncType: 'FSync', syncToken: 't', syncTime: '2026-01-05T00:00:00.000Z' };
  yield encoder.encode(`],"syncInfo":${JSON.stringify(info)}}`);
}

/** The ids exceed the integers that a double can represent. */
function record({ id, conversationId, fromNumber, text, ...rest }: Sample): string {
  const fields = JSON.stringify({
    ...rest,
    uri: 'https://service.example/x',
    from: { phoneNumber: fromNumber },
    to: [{ phoneNumber: '+16505550112', name: 'Alice Walker' }],
    lastModifiedTime: rest.creationTime,
    readStatus: 'Read',
    attachments: [],
    availability: 'Alive',
    subject: text,
  });
  return `{"id":${id},"conversationId":${conversationId},${fields.slice(1)}`;
}

function megabytesOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
