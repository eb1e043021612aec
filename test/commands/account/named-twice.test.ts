import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../matrix/desk.ts';

test.each([
  ['hours export 201 Company Support company --queues', 'hours plan -f list.yaml', 'owner:', 4],
  ['rule export 100 ~ Support 201', 'rule plan -f list.yaml', 'rule: business', 2],
  ['queue export 201 Support 202 --settings', 'queue plan -f list.yaml', 'queue:', 2],
  ['queue export 201 Support --matrix -o csv', 'queue plan -f list.csv --exact', '201 Support', 1],
  ['agent export 102 102', 'agent plan -f list.yaml', 'agent:', 1],
])('%s contains each owner once, so that it can be applied', async (command, plan, word, count) => {
  await using desk = await openDesk({ sandbox: { dialect: 'current' } });
  const { exit, stdout } = await desk.run(command);
  expect(exit).toBe(0);
  expect(stdout.split(word)).toHaveLength(count + 1);
  writeFileSync(join(desk.cwd, plan.includes('.csv') ? 'list.csv' : 'list.yaml'), stdout);
  expect(await desk.run(`${plan} --detailed-exitcode`)).toMatchObject({ exit: 0 });
});
