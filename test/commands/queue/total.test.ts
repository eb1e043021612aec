import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { openOffice } from '../office.ts';

const list =
  'queue,extension,action\n201,105,add\n202,102,add\n203,103,add\n201,102,remove\n201,103,remove\n';

async function openDesk(wrap?: Parameters<typeof openOffice>[1]) {
  const office = await openOffice('administrator', wrap);
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'list.csv'), list);
  writeFileSync(join(cwd, 'people.csv'), 'extension,message\n102,lunch\n103,lunch\n');
  const at = { cwd, paths: temporaryPaths() };
  const terminal = { ...at, terminal: 150, env: { NO_COLOR: '1' } };
  return { run: office.run, at, terminal };
}

it.each([
  ['queue apply -f list.csv', '3 added, 2 removed in 3 queues, 0 failed'],
  ['presence set -f people.csv', '2 changed, 0 failed'],
])('%s ends with a total, then how to undo it', async (command, total) => {
  const { run, at, terminal } = await openDesk();
  const { exit, stderr } = await run(`${command} --yes`, terminal);
  expect([exit, stderr.trimEnd().split('\n').slice(-2)]).toEqual([
    0,
    [`${total}.`, 'Undo: ucctl history undo last'],
  ]);
  expect((await run('history undo last --yes', at)).stderr).not.toContain('0 failed');
});

it('a run with one change has no total', async () => {
  const { run, terminal } = await openDesk();
  const { stderr } = await run('queue assign --queue Support --add 105 --yes', terminal);
  expect(stderr).not.toContain('0 failed');
});

it('history show has the words of the result in its table, and the status in JSON', async () => {
  const { run, at, terminal } = await openDesk();
  await run('queue apply -f list.csv --yes', at);
  const { stdout } = await run('history show last', terminal);
  expect([stdout.match(/\badded\b/g), stdout.match(/\bremoved\b/g)]).toMatchObject([
    { length: 3 },
    { length: 2 },
  ]);
  expect(stdout).not.toMatch(/\bok\b/);
  const json = JSON.parse((await run('history show last -o json', at)).stdout) as { status: string }[];
  expect(new Set(json.map(({ status }) => status))).toEqual(new Set(['ok']));
  expect((await run('history show last --fields status', at)).stdout).toBe('ok\n'.repeat(5));
});

it('history show names the changes of the run that were not made, like history list', async () => {
  const { run, at, terminal } = await openDesk((send) => (request) => {
    const isOfErin = request.method === 'PUT' && request.url.pathname.includes('171857103');
    if (!isOfErin) return send(request);
    return Promise.resolve(fakeReply({ status: 404, body: { errorCode: 'CMN-102', message: 'gone' } }));
  });
  await run('presence set -f people.csv --yes', at);
  const listed = await run('history list', terminal);
  expect(listed.stdout).toContain('done, 1 failed');
  expect((await run('history show last', at)).stderr).toMatch(
    /: change the presence of 2 people, done, 1 failed\n$/,
  );
});
