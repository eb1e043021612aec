import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder, temporaryPaths } from '../support/temporary.ts';
import { openOffice } from './office.ts';

/** An office whose commands name the profile `work`, and a file for them. */
async function atWork(file: string, contents: string) {
  const { sandbox, run } = await openOffice('administrator', undefined, undefined, { dialect: 'current' });
  const paths = temporaryPaths();
  const cwd = temporaryFolder();
  mkdirSync(paths.config, { recursive: true, mode: 0o700 });
  const config = { version: 1, profiles: { work: { baseUrl: sandbox.url, dialect: 'current' } } };
  writeFileSync(join(paths.config, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  writeFileSync(join(cwd, file), contents);
  return (words: string) => run(['-p', 'work', ...words.split(' ')], { cwd, paths });
}

it('a list with an unknown queue names the command that lists the queues, with the profile', async () => {
  const run = await atWork('list.csv', 'queue,agent,action\nXylophones,102,add\n');
  const { exit, stderr } = await run('queue assign -f list.csv --yes');
  expect(exit).toBe(2);
  expect(stderr).toContain('"Xylophones" not found (list the queues: ucctl -p work queue list)');
});

it('the undo of one run of an apply names the command that undoes the other run, with the profile', async () => {
  const run = await atWork(
    'queues.yaml',
    'queues:\n  - queue: Support\n    settings: { alertTimer: 45 }\n    agents: [102, 103, 104, 107]\n',
  );
  expect(await run('queue apply -f queues.yaml --yes')).toMatchObject({ exit: 0 });
  const [newest, other] = (await run('history list --fields id')).stdout.trim().split('\n');
  const { exit, stderr } = await run(`history undo ${newest} --yes`);
  expect(exit).toBe(0);
  expect(stderr).toContain(`to undo it: ucctl -p work history undo ${other}\n`);
});
