import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../matrix/desk.ts';

const files = {
  'agent.csv': 'agent,department\n102,Night shift\n',
  'hours.yaml': 'hours:\n  - owner: company\n    saturday: 10:00-14:00\n',
  'queue.yaml': 'queues:\n  Support: [102, 103]\n',
  'rule.yaml': 'rules:\n  - extension: 102\n    rule: after-hours-rule\n    callers: []\n',
};
const nouns = ['agent', 'hours', 'queue', 'rule'] as const;
const sourceOf = (noun: string) => (noun === 'agent' ? 'agent.csv' : `${noun}.yaml`);

test('a saved plan is rejected by every other command, with the command that applies it', async () => {
  await using desk = await openDesk({ sandbox: { dialect: 'current' }, files });
  for (const noun of nouns) {
    const { exit } = await desk.run(`${noun} plan -f ${sourceOf(noun)} --plan-out ${noun}.json`);
    expect([noun, exit]).toEqual([noun, 0]);
  }
  desk.writes();
  const readers = [
    ...nouns.map((noun) => [noun, `${noun} apply --yes`]),
    ...nouns.map((noun) => ['', `${noun} plan`]),
    ['', 'queue diff'],
    ['', 'presence set --dnd-status TakeAllCalls --yes'],
    ['', 'sms send --template Hello --yes'],
  ] as const;
  for (const [own, command] of readers) {
    for (const noun of nouns.filter((one) => one !== own)) {
      const { exit, stderr } = await desk.run(`${command} -f ${noun}.json`);
      expect([command, exit, stderr]).toEqual([
        command,
        2,
        `error: ${noun}.json is a saved plan of ucctl ${noun} plan, which this command cannot read\n` +
          `  try:     apply the plan: ucctl ${noun} apply -f ${noun}.json; nothing was sent\n`,
      ]);
    }
  }
  expect(desk.writes()).toEqual([]);
});

test.each(nouns)('a saved plan of %s is applied in each encoding that a shell writes', async (noun) => {
  await using desk = await openDesk({ sandbox: { dialect: 'current' }, files });
  await desk.run(`${noun} plan -f ${sourceOf(noun)} --plan-out plan.json`);
  const text = `\uFEFF${readFileSync(join(desk.cwd, 'plan.json'), 'utf8')}`;
  for (const encoding of ['utf8', 'utf16le'] as const) {
    writeFileSync(join(desk.cwd, 'marked.json'), text, encoding);
    const { exit, stderr } = await desk.run(`${noun} apply -f marked.json --dry-run`);
    expect([exit, stderr]).toEqual([0, expect.not.stringContaining('error')]);
  }
});

test.each(nouns)('a saved plan of %s for another service is rejected', async (noun) => {
  await using desk = await openDesk({ sandbox: { dialect: 'current' }, files });
  await desk.run(`${noun} plan -f ${sourceOf(noun)} --plan-out plan.json`);
  const plan = join(desk.cwd, 'plan.json');
  const other = readFileSync(plan, 'utf8').replace(
    /"baseUrl": "[^"]*"/,
    '"baseUrl": "https://other.example"',
  );
  writeFileSync(plan, other);
  desk.writes();
  const { exit, stderr } = await desk.run(`${noun} apply -f plan.json --yes`);
  expect([exit, stderr]).toEqual([
    11,
    expect.stringContaining('the plan was created for https://other.example'),
  ]);
  expect(desk.writes()).toEqual([]);
});
