import { expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice, type Office } from '../office.ts';

const statusOf = async ({ run }: Office) =>
  (await run('presence show 102 103 --fields dndStatus')).stdout.split('\n').slice(0, 2);

it('spec:CLIENT-17 a run sends nothing if somebody changes a status during a slow confirmation', async () => {
  let reads = 0;
  let isArmed = true;
  const silences =
    (send: HttpSend): HttpSend =>
    async (request) => {
      const isRead = request.method === 'GET' && request.url.pathname.endsWith('/presence');
      if (isArmed && isRead && (reads += 1) === 3) {
        isArmed = false;
        await office.run('presence set 103 --dnd-status DoNotAcceptAnyCalls');
      }
      return send(request);
    };
  const office: Office = await openOffice('administrator', silences);
  const at = { paths: temporaryPaths() };
  let now = 3_600_000;
  // Between two looks at the clock, the answer took its time.
  const slow = { ...at, now: () => (now += 2500) };
  const { exit, stderr } = await office.run('presence set 102 103 --queue-calls off --yes', slow);
  expect([exit, stderr]).toEqual([
    11,
    expect.stringContaining(
      [
        'error: somebody has changed the presence of people while ucctl waited for the confirmation',
        '  José Álvarez (103): dndStatus was TakeAllCalls and is now DoNotAcceptAnyCalls',
        '  try:     nothing was sent; run the command again',
      ].join('\n'),
    ),
  ]);
  expect(await statusOf(office)).toEqual(['TakeAllCalls', 'DoNotAcceptAnyCalls']);
  const { stdout } = await office.run('history list', at);
  expect(stdout).toBe('');
});

it('a resumed run sends nothing if somebody has changed a status since the run was interrupted', async () => {
  const stop = new AbortController();
  const interrupts =
    (send: HttpSend): HttpSend =>
    (request) => {
      if (request.method === 'PUT') stop.abort(new Error('interrupted'));
      return send(request);
    };
  const office = await openOffice('administrator', interrupts);
  const at = { paths: temporaryPaths() };
  const line = 'presence set 102 103 --queue-calls off --yes';
  expect((await office.run(line, { ...at, signal: stop.signal })).exit).toBe(130);
  const before = await statusOf(office);
  expect(before).toEqual(['DoNotAcceptDepartmentCalls', 'TakeAllCalls']);
  await office.run('presence set 103 --dnd-status DoNotAcceptAnyCalls');
  const resumed = await office.run('presence set --resume last --yes', at);
  expect([resumed.exit, resumed.stderr]).toEqual([
    11,
    expect.stringContaining('José Álvarez (103): dndStatus was TakeAllCalls and is now DoNotAcceptAnyCalls'),
  ]);
  expect(await statusOf(office)).toEqual(['DoNotAcceptDepartmentCalls', 'DoNotAcceptAnyCalls']);
  await office.run('presence set 103 --dnd-status TakeAllCalls');
  expect((await office.run('presence set --resume last --yes', at)).exit).toBe(0);
  expect(await statusOf(office)).toEqual(['DoNotAcceptDepartmentCalls', 'DoNotAcceptDepartmentCalls']);
});
