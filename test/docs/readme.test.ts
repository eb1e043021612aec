import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { type Desk, openDesk } from '../matrix/desk.ts';

const readme = readFileSync('README.md', 'utf8');
const [, shown = ''] =
  /```console\n\$ ucctl queue assign --file agents.csv\n([\s\S]*?)```/.exec(readme) ?? [];
/** The list of the administrator's guide is the one that the README applies. */
const guide = readFileSync('docs/guides/administrator-monday.md', 'utf8');
const [, list = ''] = /`agents\.csv`:\n\n```csv\n([\s\S]*?)```/.exec(guide) ?? [];
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ files: { 'agents.csv': list } });
  return () => desk[Symbol.asyncDispose]();
});

it('the output of queue agents of README is the real output', async () => {
  const { exit, stdout, stderr } = await desk.run('queue assign --file agents.csv --yes', {
    terminal: 100,
    env: { NO_COLOR: '1' },
  });
  // The confirmation prompt after the answer.
  const asked = '✔ 3 to add, 1 to remove in 3 queues. Apply? Yes\n';
  // The total and the hint about undoing the run come last.
  const [end = ''] = /^.* 0 failed\.\nUndo: .*\n$/m.exec(stderr) ?? [];
  const before = stderr.slice(0, stderr.length - end.length);
  expect([exit, `${before}${asked}${stdout}${end}`]).toEqual([0, shown]);
});
