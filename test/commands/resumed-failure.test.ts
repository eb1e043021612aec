import { expect, test } from 'vitest';
import { openDesk } from '../matrix/desk.ts';

const ids = ['company', 'Support'];
const hours = `hours:\n${ids.map((owner) => `  - owner: ${owner}\n    sunday: 11:00-13:00\n`).join('')}`;

test('a resumed run with a failed change names the original command, which makes the change', async () => {
  await using desk = await openDesk({ sandbox: { dialect: 'current' }, files: { 'sunday.yaml': hours } });
  const fault = { kind: 'status', operation: 'updateCompanyHours', status: 403, times: 1 };
  await desk.sandbox.control('POST', '/faults', fault);
  const first = await desk.run('hours apply -f sunday.yaml --fail-fast --yes');
  expect(first).toMatchObject({ exit: 8 });
  const resumed = await desk.run('hours apply --resume last --yes');
  expect(resumed.exit).toBe(8);
  // The failed change is not left: a resumed run does not retry it.
  expect(resumed.stderr).toContain(': 1 change left: ');
  expect(resumed.stderr).toContain('run the original command again, without --resume,');
  expect(await desk.run('hours apply -f sunday.yaml --yes')).toMatchObject({ exit: 0 });
});
