import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openOffice } from '../commands/office.ts';
import { postgresMissing, testStore } from '../support/postgres.ts';
import { temporaryPaths } from '../support/temporary.ts';

/** Returns the SQL statements of the guide, as of a time. */
function statements(now: number): readonly string[] {
  const guide = readFileSync('docs/guides/company-archive.md', 'utf8');
  const found = guide.matchAll(/^ucctl sync sql --store "\$ARCHIVE" "([^"]*)"$/gm);
  return [...found].map(([, sql = '']) =>
    sql.replaceAll('now()', `timestamptz '${new Date(now).toISOString()}'`),
  );
}

describe.skipIf(postgresMissing())('the queries of docs/guides/company-archive.md', () => {
  it('return the missed calls by hour, the messages by mailbox, and the rings by queue and agent', async () => {
    const { run: runIn, sandbox } = await openOffice('administrator');
    const { url } = await testStore();
    const paths = temporaryPaths();
    const run = async (argv: readonly string[]) => {
      const result = await runIn([...argv, '--store', url, '-o', 'json'], {
        paths,
        now: () => sandbox.clock.now(),
      });
      expect([argv, result.exit, result.stderr]).toEqual([argv, 0, expect.anything()]);
      return JSON.parse(result.stdout) as readonly object[];
    };
    const caller = '+14155550142';
    const phone = (number: string, action: string) =>
      sandbox.control('POST', `/phones/${number}/${action}`, {});
    await sandbox.control('PATCH', '/settings', { callProgression: 'manual' });
    // The second agent answers the first call to the queue. The caller ends the second call before an answer.
    await sandbox.control('POST', '/triggers/call', { from: caller, to: '201' });
    await phone('102', 'reject');
    await phone('103', 'answer');
    await phone('103', 'hangup');
    await sandbox.clock.advance(600_000);
    for (const to of ['201', '104']) {
      await sandbox.control('POST', '/triggers/call', { from: caller, to });
      await phone(caller, 'hangup');
    }
    await sandbox.control('POST', '/triggers/sms', { to: '102', from: caller, text: 'Hello' });
    await run(['sync', '--extension', 'all']);
    await run(['calllog', 'sync']);
    const [missed = '', messages = '', rings = ''] = statements(sandbox.clock.now());
    // The clock of the sandbox starts at 09:00 UTC.
    expect(await run(['sync', 'sql', missed])).toEqual([{ hour: 10, missed: 2 }]);
    expect(await run(['sync', 'sql', messages])).toEqual([
      { extension_number: '102', mailbox: 'Dana Okafor', messages: 1, newest: expect.any(String) as string },
    ]);
    expect(await run(['sync', 'sql', rings])).toEqual([
      { queue: 'Support', agent: 'Dana Okafor', rings: 2, answered: 0 },
      { queue: 'Support', agent: 'José Álvarez', rings: 1, answered: 1 },
    ]);
  });
});
