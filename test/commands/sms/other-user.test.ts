import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fakeReply } from '../../support/fake-service.ts';
import { pathsIn } from '../../support/paths.ts';
import { signInAs } from '../../support/sandbox.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { openLiveOffice } from '../live-office.ts';

const send = 'sms send -f list.csv --template Hi{{name}} --yes';

/** A text run of user 100 that stopped at its first row, and commands of users, each with a new access token. */
async function stoppedRun() {
  let isRejected = true;
  const { sandbox, run } = await openLiveOffice('administrator', {}, (inner) => (request) => {
    if (!isRejected || !request.url.pathname.endsWith('/sms')) return inner(request);
    isRejected = false;
    const body = { errorCode: 'CMN-101', message: 'rejected' };
    return Promise.resolve(fakeReply({ status: 400, body }));
  });
  const cwd = temporaryFolder();
  const paths = pathsIn(join(cwd, 'paths'));
  await writeFile(join(cwd, 'list.csv'), 'to,name\n+16505550112,Ann\n+16505550113,Bob\n');
  const runAs = async (who: string, line: string) =>
    run(line, { cwd, paths, env: { UCCTL_TOKEN: await signInAs(sandbox, who) } });
  const stopped = await runAs('100', `${send} --from +16505550110 --fail-fast`);
  expect([stopped.exit, sandbox.messages()]).toEqual([8, []]);
  return { sandbox, runAs };
}

it('a run of texts is not resumed by another user', async () => {
  const { sandbox, runAs } = await stoppedRun();
  const { exit, stderr } = await runAs('102', 'sms send --resume last --yes');
  expect([exit, sandbox.messages()]).toEqual([11, []]);
  expect(stderr).toContain('was started by another user, with +16505550110');
  expect(stderr).toContain('nothing was sent');
});

it('a run of texts is resumed by the same user with a new token', async () => {
  const { sandbox, runAs } = await stoppedRun();
  const { exit } = await runAs('100', 'sms send --resume last --yes');
  const texts = new Set(sandbox.messages().map(({ subject }) => subject));
  expect([exit, [...texts]]).toEqual([8, ['HiBob']]);
});
