import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const send = 'sms send --to +16505550112 hello --yes';

/** An office in which the outcome journal cannot be written from the first send on. */
async function brokenJournal(status?: number) {
  const paths = temporaryPaths();
  const office = await openOffice('administrator', (inner) => async (request) => {
    if (request.method !== 'POST') return inner(request);
    const journal = openDatabase(join(paths.state, 'outcomes.db'));
    journal.exec(
      "CREATE TRIGGER full BEFORE UPDATE ON outcome BEGIN SELECT raise(ABORT, 'no room left'); END",
    );
    journal.close();
    return status === undefined
      ? inner(request)
      : fakeReply({ status, body: { errorCode: 'CMN-101', message: 'Parameter [to] is invalid' } });
  });
  return (line: string) => office.run(line, { paths });
}

describe('an outcome that the journal cannot record', () => {
  it('does not hide that the text was sent', async () => {
    const run = await brokenJournal();
    const { exit, stdout, stderr } = await run(`${send} --dedupe-key k1 -o json`);
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { subject: 'hello' }]);
    expect(stderr).toContain(
      'warning: could not record outcome 1 (sent), so the journal shows the outcome as unknown: no room left',
    );
    expect((await run(`${send} --dedupe-key k1`)).exit).toBe(11);
  });

  it('does not hide the error of the service', async () => {
    const run = await brokenJournal(400);
    const { exit, stderr } = await run(send);
    expect([exit, stderr]).toEqual([1, expect.stringContaining('Parameter [to] is invalid')]);
    expect(stderr).toContain('could not record outcome 1 (failed)');
  });
});
