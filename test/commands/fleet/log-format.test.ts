import { describe, expect, it } from 'vitest';
import { logLine } from '../../../src/output/log-line.ts';
import { SentSecrets } from '../../../src/platform/sent-secrets.ts';
import { postgresMissing } from '../../support/postgres.ts';
import { fleetOffice } from './fleet-office.ts';

const entriesOf = (stderr: string) =>
  stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

describe.skipIf(postgresMissing())('--log-format json', () => {
  it('writes each message as an object with time, level, message and fields', async () => {
    const office = await fleetOffice();
    await office.run('fleet enroll --extension 101,102');
    await office.db.run(`update fleet_task set subject = '4711', label = 'gone' where label = '102'`);
    const { exit, stderr } = await office.run('fleet worker --once --all --log-format json -o ndjson');
    expect(exit).toBe(0);
    const entries = entriesOf(stderr);
    for (const { time, level, message } of entries)
      expect([typeof message, level, time]).toEqual([
        'string',
        expect.stringMatching(/^(info|warn)$/),
        expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      ]);
    expect(entries[0]).toMatchObject({
      level: 'info',
      message: expect.stringContaining('started') as string,
    });
    const [{ subject } = { subject: '' }] = await office.db.query<{ subject: string }>(
      `select subject from fleet_task where label = '101'`,
    );
    const ends = entries.filter(({ task }) => task !== undefined);
    expect(ends).toHaveLength(2);
    expect(ends).toContainEqual(
      expect.objectContaining({
        level: 'info',
        message: 'messages of 101: done',
        task: 'messages',
        extensionId: subject,
        result: 'done',
      }),
    );
    expect(ends).toContainEqual(
      expect.objectContaining({ level: 'warn', extensionId: '4711', result: 'failed' }),
    );
    expect(new Set(ends.map(({ run }) => run)).size).toBe(1);
  });

  it('writes the error that ends a run as an entry', async () => {
    const office = await fleetOffice();
    const { exit, stderr } = await office.run(
      'fleet worker --once --log-format json --store postgres://127.0.0.1:1/nowhere',
    );
    expect(exit).not.toBe(0);
    expect(entriesOf(stderr).at(-1)).toMatchObject({
      level: 'error',
      exit,
      code: expect.any(String) as string,
    });
  });
});

it('masks secrets in a structured log, and drops fields without a value', () => {
  const sent = new SentSecrets();
  sent.add({ url: new URL('http://service'), headers: { authorization: 'Bearer canary-0123456789abcdef' } });
  const line = logLine(
    { level: 'warn', message: 'Bearer canary-0123456789abcdef\u001B', task: undefined, event: 'a' },
    0,
    sent,
  );
  expect(line).not.toContain('canary');
  expect(JSON.parse(line)).toEqual({
    time: '1970-01-01T00:00:00.000Z',
    level: 'warn',
    message: 'Bearer ***\u001B',
    event: 'a',
  });
});
