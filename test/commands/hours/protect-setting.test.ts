import { expect, test } from 'vitest';
import { openDesk } from '../../matrix/desk.ts';

const files = {
  'people.csv': 'agent,department\n106,Night shift\n',
  'queues.csv': 'queue,agent,action\nBilling,106,add\n',
};

/** Names of all kinds: the company, a queue, and an agent. */
const setting = { UCCTL_PROTECT: 'company,Support,104' };

test.each([
  'agent apply -f people.csv --yes',
  'queue assign -f queues.csv --yes',
  'queue assign --queue Billing --add 106 --yes',
])('the protect setting can contain names for other commands: %s, and its undo', async (line) => {
  await using desk = await openDesk({ sandbox: { dialect: 'current' }, files });
  expect(await desk.run(line, { env: setting })).toMatchObject({ exit: 0 });
  expect(await desk.run('history undo last --yes', { env: setting })).toMatchObject({ exit: 0 });
});

test.each([
  ['agent apply -f people.csv --yes --protect company', 'protected agent: agent "company" not found'],
  ['agent apply -f people.csv --yes --protect Support', 'protected agent: "Support" is not an agent'],
])('the option names only entries that the command can change: %s', async (line, text) => {
  await using desk = await openDesk({ sandbox: { dialect: 'current' }, files });
  desk.writes();
  expect(await desk.run(line)).toMatchObject({ exit: 3, stderr: expect.stringContaining(text) as string });
  expect(desk.writes()).toEqual([]);
});

test('an unknown name in the protect setting is an error', async () => {
  await using desk = await openDesk({ sandbox: { dialect: 'current' }, files });
  desk.writes();
  const env = { UCCTL_PROTECT: 'company,Nobody' };
  expect(await desk.run('agent apply -f people.csv --yes', { env })).toMatchObject({
    exit: 3,
    stderr: expect.stringContaining('agent "Nobody" not found') as string,
  });
  expect(desk.writes()).toEqual([]);
});
