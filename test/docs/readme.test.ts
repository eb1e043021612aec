import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { type Desk, openDesk } from '../matrix/desk.ts';

const readme = readFileSync('README.md', 'utf8');
const [, shown = ''] =
  /```console\n\$ ucctl queue assign --file agents.csv\n([\s\S]*?)```/.exec(readme) ?? [];
const [, list = ''] = /`agents\.csv`:\n\n```csv\n([\s\S]*?)```/.exec(readme) ?? [];
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ files: { 'agents.csv': list } });
  return () => desk[Symbol.asyncDispose]();
});

it('what README shows of queue assign is what it prints', async () => {
  const { exit, stdout, stderr } = await desk.run('queue assign --file agents.csv --yes', {
    terminal: 100,
    env: { NO_COLOR: '1' },
  });
  // As the question stands there when it was answered.
  const asked = '✔ 3 to add, 1 to remove in 3 queues. Apply? Yes\n';
  expect([exit, stderr + asked + stdout]).toEqual([0, shown]);
});
