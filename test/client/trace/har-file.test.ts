import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openOffice } from '../../commands/office.ts';

interface Entry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly queryString: readonly { readonly name: string; readonly value: string }[];
    readonly headers: readonly { readonly name: string; readonly value: string }[];
  };
  readonly response: { readonly status: number; readonly content: { readonly text?: string } };
}
interface Har {
  readonly log: { readonly version: string; readonly creator: object; readonly entries: readonly Entry[] };
}

function traceFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-har-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'trace.har');
}

const read = (file: string): Har => JSON.parse(readFileSync(file, 'utf8')) as Har;

test('is HAR 1.2 with every request in order, times, sizes and masked tokens', async () => {
  const office = await openOffice();
  const file = traceFile();
  const { exit } = await office.run(['queue', 'list', '--members', '--trace-file', file]);
  expect(exit).toBe(0);
  const { log } = read(file);
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'ucctl' } });
  expect(log.entries.length).toBeGreaterThan(2);
  for (const { request, response, startedDateTime, time } of log.entries) {
    expect(Number.isNaN(Date.parse(startedDateTime))).toBe(false);
    expect(time).toBeGreaterThanOrEqual(0);
    expect(request.method).toBe('GET');
    expect(response.status).toBe(200);
    expect(JSON.parse(response.content.text ?? '')).toHaveProperty('records');
    const authorization = request.headers.find(({ name }) => name === 'authorization')?.value ?? '';
    expect(authorization).toBe('Bearer ***');
  }
});

test('is a valid file without entries if the command sends no request', async () => {
  const office = await openOffice();
  const file = traceFile();
  const { exit } = await office.run(['outcome', 'list', '--trace-file', file]);
  expect([exit, read(file).log]).toMatchObject([0, { version: '1.2', entries: [] }]);
});

test('keeps every value of a repeated query key', async () => {
  const office = await openOffice();
  const file = traceFile();
  await office.run(['api', '/account/~/extension?type=User&type=Department', '--trace-file', file]);
  const [entry] = read(file).log.entries;
  expect(entry?.request.queryString.filter(({ name }) => name === 'type').map(({ value }) => value)).toEqual([
    'User',
    'Department',
  ]);
});

test('keeps the characters of a value that have a meaning in a query', async () => {
  const office = await openOffice();
  const file = traceFile();
  const time = '2026-01-05T00:00:00+01:00';
  await office.run(['api', `/account/~/call-log?dateFrom=${encodeURIComponent(time)}`, '--trace-file', file]);
  const [entry] = read(file).log.entries;
  expect(entry?.request.queryString).toContainEqual({ name: 'dateFrom', value: time });
  expect(new URL(entry?.request.url ?? '').searchParams.get('dateFrom')).toBe(time);
});

test('can only be read by its user, also if it replaces another file; a failure is an entry too', async () => {
  const office = await openOffice();
  const file = traceFile();
  writeFileSync(file, 'x'.repeat(1_000_000));
  chmodSync(file, 0o644);
  const { exit } = await office.run(['queue', 'members', 'nobody', '--trace-file', file]);
  expect(exit).toBe(3);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(read(file).log.entries.length).toBeGreaterThan(0);
});

test('a trace that cannot be written changes neither the result nor the exit code', async () => {
  const file = traceFile();
  const office = await openOffice('administrator', (send) => (request) => {
    if (request.url.pathname.endsWith('/sms')) rmSync(file);
    return send(request);
  });
  const line = ['sms', 'send', '--to', '+16505550112', 'Hello', '--yes', '-o', 'json', '--trace-file', file];
  const { exit, stdout, stderr } = await office.run(line);
  expect(exit).toBe(0);
  expect(stderr).toContain('warning: the trace file is incomplete: file not found');
  expect(JSON.parse(stdout)).toHaveProperty('id');
});

test('creates a missing folder, as other options that name a file to write', async () => {
  const office = await openOffice();
  const file = join(traceFile(), '..', 'traces', 'today', 'trace.har');
  const { exit } = await office.run(['queue', 'list', '--trace-file', file]);
  expect([exit, read(file).log.entries.length > 0]).toEqual([0, true]);
});

test('a trace that cannot be started on a full disk ends the command with the name of the file', async (context) => {
  context.skip(!existsSync('/dev/full'), 'this system has no /dev/full');
  const office = await openOffice();
  const { exit, stderr } = await office.run(['queue', 'list', '--trace-file', '/dev/full']);
  expect([exit, stderr]).toEqual([
    12,
    'error: cannot use /dev/full: the disk is full\n  try:     free up space on the disk\n',
  ]);
});
