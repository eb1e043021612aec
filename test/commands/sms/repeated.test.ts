import { describe, expect, it } from 'vitest';
import { postgresMissing, testStore } from '../../support/postgres.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const minutes = 60_000;

async function openSender(env: Readonly<Record<string, string>> = {}) {
  const { run, sandbox } = await openOffice();
  const paths = temporaryPaths();
  const send = (words: string) =>
    run(['sms', 'send', '--to', '+16505550112', '--yes', ...words.split(' ')], {
      paths,
      now: () => sandbox.clock.now(),
      env: { UCCTL_BASE_URL: sandbox.url, ...env },
    });
  return { sandbox, send };
}

describe('a single text that was sent a few minutes ago', () => {
  it('is sent with a warning', async () => {
    const { sandbox, send } = await openSender();
    expect(await send('Lunch?')).toMatchObject({
      exit: 0,
      stderr: expect.not.stringContaining('same text') as string,
    });
    await sandbox.clock.advance(2 * minutes);
    const again = await send('Lunch?');
    expect([again.exit, again.stderr]).toEqual([
      0,
      expect.stringContaining(
        'warning: the same text was sent to +16505550112 in the last 10 minutes. To send a text once in 24 hours, use the same --dedupe-key each time.',
      ),
    ]);
  });

  it('has the command that looks up an unknown outcome', async () => {
    const { sandbox, send } = await openSender();
    await sandbox.control('POST', '/faults', { kind: 'bad-json', operation: 'sendSms', times: 1 });
    expect(await send('Lunch?')).toMatchObject({ exit: 14 });
    expect((await send('Lunch?')).stderr).toMatch(
      /the same text may have been sent to \S+ in the last 10 minutes\. To look up the outcome: ucctl outcome resolve 1$/m,
    );
  });

  it.each([
    ['another text', 'Dinner?', 0],
    ['a dry run', 'Lunch? --dry-run', 0],
    ['a dedupe key', 'Lunch? --dedupe-key lunch', 0],
    ['more than 10 minutes later', 'Lunch?', 11 * minutes],
  ])('has no warning for %s', async (_, words, later) => {
    const { sandbox, send } = await openSender();
    await send('Lunch?');
    await sandbox.clock.advance(later);
    expect(await send(words)).toMatchObject({
      exit: 0,
      stderr: expect.not.stringContaining('same text') as string,
    });
  });

  it.skipIf(postgresMissing())('is found in the journal of a store', async () => {
    const { url } = await testStore();
    const { send } = await openSender({ UCCTL_STORE: url });
    expect(await send('Lunch?')).toMatchObject({ exit: 0 });
    expect((await send('Lunch?')).stderr).toContain(
      'the same text was sent to +16505550112 in the last 10 minutes',
    );
  });
});
