import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HttpRequest, HttpSend } from '../../../src/client/index.ts';
import { ConnectionError } from '../../../src/errors/service.ts';
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

describe('a change of one person', () => {
  it('is the last run, so that no older run is undone', async () => {
    await using desk = await openDesk();
    await desk.run('queue assign --queue 201 --add 106 --yes');
    expect((await desk.run('presence set 102 --user-status Busy --message Lunch')).exit).toBe(0);
    const undone = await desk.run('history undo last --yes');
    expect([undone.exit, undone.stderr]).toEqual([
      0,
      expect.stringContaining('(change the presence of Dana Okafor (102))'),
    ]);
    expect(undone.stderr).toContain('Dana Okafor (102): userStatus Available, message (none)');
    expect(await desk.json('presence show 102')).toMatchObject({ userStatus: 'Available', message: '' });
    expect((await desk.run('queue members 201')).stdout).toContain('106');
    expect((await desk.run('history undo last --yes')).exit).toBe(11);
    const [undo] = (await desk.run('history list --fields id')).stdout.split('\n');
    expect((await desk.run(`history undo ${undo} --yes`)).exit).toBe(0);
    expect(await desk.json('presence show 102')).toMatchObject({ userStatus: 'Busy', message: 'Lunch' });
  });

  it('is not recorded if it was rejected or made no difference', async () => {
    await using desk = await openDesk();
    expect((await desk.run('presence set 102 --user-status Available')).exit).toBe(0);
    await desk.sandbox.control('POST', '/faults', {
      kind: 'status',
      operation: 'updatePresence',
      status: 403,
    });
    expect((await desk.run('presence set 102 --user-status Busy')).exit).not.toBe(0);
    expect((await desk.run('presence set 102 --user-status Busy --dry-run')).exit).toBe(0);
    expect(await desk.json('history list')).toEqual([]);
  });

  it('whose outcome is unknown is undone if it was made', async () => {
    let broken = false;
    const isPresence = ({ url }: HttpRequest): boolean => url.pathname.endsWith('/presence');
    const { run: runIn } = await openOffice('administrator', (send) => async (request) => {
      if (!isPresence(request)) return send(request);
      if (!broken && request.method === 'GET') return send(request);
      if (request.method === 'PUT') await send(request);
      broken = true;
      throw new ConnectionError('ECONNRESET', 'unknown', 'https://x.example', undefined);
    });
    const at = { paths: temporaryPaths() };
    expect((await runIn('presence set 102 --user-status Busy --retry 0', at)).exit).toBe(14);
    broken = false;
    const runs = JSON.parse((await runIn('history list -o json', at)).stdout) as object[];
    expect(runs).toMatchObject([{ state: 'done', counts: { unknown: 1 } }]);
    const undo = await runIn('history undo last --dry-run', at);
    expect([undo.exit, undo.stderr]).toEqual([0, expect.stringContaining('userStatus Available')]);
  });

  it('succeeds with a warning if it cannot be recorded', async () => {
    const { run: runIn } = await openOffice();
    const paths = temporaryPaths();
    mkdirSync(join(paths.state, 'runs.db'), { recursive: true });
    const { exit, stderr } = await runIn('presence set 102 --user-status Busy', { paths });
    expect([exit, stderr]).toEqual([0, expect.stringContaining('the change was not recorded')]);
  });

  it.each([
    'queue availability Support --agent 104 --off',
    'presence set 104 --queue-calls off --user-status Busy',
  ])('in its queues is undone: %s', async (line) => {
    const { sandbox, run: runIn } = await openOffice('administrator', undefined, ':memory:', {
      dialect: 'current',
      settings: { newCallHandling: true },
    });
    const at = { paths: temporaryPaths(), env: { UCCTL_BASE_URL: sandbox.url, UCCTL_DIALECT: 'current' } };
    const state = async () => [
      (await runIn('queue availability Support', at)).stdout,
      (await runIn('presence show 104 --fields userStatus', at)).stdout,
    ];
    const before = await state();
    expect((await runIn(line, at)).exit).toBe(0);
    expect(await state()).not.toEqual(before);
    expect((await runIn('history undo last --yes', at)).exit).toBe(0);
    expect(await state()).toEqual(before);
  });
});

it('undoes the availability in queues if the fields of the person were rejected after it', async () => {
  const { sandbox, run: runIn } = await openOffice('administrator', undefined, ':memory:', {
    dialect: 'current',
    settings: { newCallHandling: true },
  });
  const at = { paths: temporaryPaths(), env: { UCCTL_BASE_URL: sandbox.url, UCCTL_DIALECT: 'current' } };
  const availability = async () => (await runIn('queue availability Support', at)).stdout;
  const before = await availability();
  await sandbox.control('POST', '/faults', { kind: 'status', operation: 'updatePresence', status: 403 });
  expect((await runIn('presence set 104 --queue-calls off --user-status Busy', at)).exit).not.toBe(0);
  expect(await availability()).not.toBe(before);
  expect((await runIn('history undo last --yes', at)).exit).toBe(0);
  expect(await availability()).toBe(before);
});
