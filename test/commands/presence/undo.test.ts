import { expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { openDesk } from '../../matrix/desk.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

it('with --force undoes the fields that are still in effect, and no others', async () => {
  const office = await openOffice();
  const at = { paths: temporaryPaths() };
  await office.run('presence set 102 103 --user-status Busy --message Lunch --yes', at);
  await office.run('presence set 102 --message Meeting');
  const moved = await office.run('history undo last --yes', at);
  expect([moved.exit, moved.stderr]).toEqual([11, expect.stringContaining('Dana Okafor (102) has changed')]);
  expect((await office.run('history undo last --yes --force', at)).exit).toBe(0);
  expect((await office.run('presence show 102 103 --fields userStatus,message')).stdout).toBe(
    'Available\tMeeting\nAvailable\t\n',
  );
});

it('undoes the others after a person was deleted', async () => {
  await using desk = await openDesk();
  await desk.run('presence set 102 103 --user-status Busy --yes');
  await desk.sandbox.control('DELETE', '/users/103');
  expect(await desk.run('history undo last --yes')).toMatchObject({
    exit: 11,
    stderr: expect.stringContaining('José Álvarez (103) has changed') as string,
  });
  expect(await desk.run('history undo last --yes --force')).toMatchObject({ exit: 0 });
  expect(await desk.json('presence show 102')).toMatchObject({ userStatus: 'Available' });
});

const rejection = { errorCode: 'CMN-402', message: 'The operation requires an administrator' };

/** A network that rejects the changes of availability in queues. */
const withoutSwitches =
  (send: HttpSend): HttpSend =>
  (request) => {
    const isSwitch = request.method !== 'GET' && request.url.pathname.includes('call-queue');
    return isSwitch ? Promise.resolve(fakeReply({ status: 403, body: rejection })) : send(request);
  };

it('undoes the fields of a person whose availability in queues was rejected', async () => {
  const { sandbox, run: runIn } = await openOffice('administrator', withoutSwitches, ':memory:', {
    dialect: 'current',
    settings: { newCallHandling: true },
  });
  const at = { paths: temporaryPaths(), env: { UCCTL_BASE_URL: sandbox.url, UCCTL_DIALECT: 'current' } };
  const set = await runIn('presence set 102 104 --queue-calls off --user-status Busy --yes', at);
  expect(set.exit).not.toBe(0);
  const statuses = async () => (await runIn('presence show 102 104 --fields userStatus', at)).stdout;
  expect(await statuses()).toBe('Busy\nBusy\n');
  expect((await runIn('history undo last --yes', at)).exit).toBe(0);
  expect(await statuses()).toBe('Available\nAvailable\n');
});
