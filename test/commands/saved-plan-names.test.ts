import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDesk } from '../matrix/desk.ts';

const files = {
  queue: `queues:
  - queue: Support
    agents: [102, 106]
    settings:
      serviceLevel:
        goal: 70
`,
  agent: 'agent,company\n102,Example\n',
  hours: 'hours:\n  - owner: 102\n    monday: 09:00-12:00\n',
  rule: `rules:
  - extension: 102
    rule: after-hours-rule
    callHandlingAction: PlayAnnouncementOnly
`,
};

/** Saves a plan of the file of a noun, edits it, and applies it. */
async function applyEdited(noun: keyof typeof files, edit: (plan: string) => string) {
  const file = noun === 'agent' ? 'list.csv' : 'list.yaml';
  await using desk = await openDesk({ sandbox: { dialect: 'current' }, files: { [file]: files[noun] } });
  const plan = join(desk.cwd, 'plan.json');
  const made = await desk.run(`${noun} plan -f ${file} --plan-out plan.json`);
  expect([made.exit, made.stderr]).toEqual([0, expect.stringContaining('Saved the plan')]);
  const before = readFileSync(plan, 'utf8');
  const after = edit(before);
  expect(after).not.toBe(before);
  writeFileSync(plan, after);
  desk.writes();
  const { exit, stderr } = await desk.run(`${noun} apply -f plan.json --yes`);
  return { exit, stderr, writes: desk.writes() };
}

describe('a saved plan whose names differ from the account', () => {
  it.each([
    ['queue', '"queueName": "Support"', '"queueName": "Test"', 'Test (201)', 'Support (201)'],
    ['queue', '"queue": "201"', '"queue": "299"', 'Support (299)', 'Support (201)'],
    ['queue', '"Mei Lin"', '"Max Lin"', 'Max Lin (106)', 'Mei Lin (106)'],
    ['queue', '"title": "Support (201)"', '"title": "Test"', 'Test', 'Support (201)'],
    ['agent', '"Dana Okafor (102)"', '"Mei Lin (106)"', 'Mei Lin (106)', 'Dana Okafor (102)'],
    ['hours', '"Dana Okafor (102)"', '"Company"', 'Company', 'Dana Okafor (102)'],
    [
      'rule',
      'of Dana Okafor (102)"',
      'of Mei Lin (103)"',
      'after-hours-rule of Mei Lin (103)',
      'After hours of Dana',
    ],
    ['rule', '"after-hours-rule of', '"Holiday of', 'Holiday of Dana', 'After hours of Dana'],
  ] as const)(
    '%s plan, %s changed to %s: rejected with both names',
    async (noun, from, to, planned, present) => {
      const { exit, stderr, writes } = await applyEdited(noun, (plan) => plan.replaceAll(from, to));
      expect([exit, writes]).toEqual([11, []]);
      expect(stderr).toContain('error: the names in the plan differ from the account\n');
      const both = `the plan changes "${escaped(planned)}.* in the account is "${escaped(present)}`;
      expect(stderr).toMatch(new RegExp(both));
      expect(stderr).toContain('create the plan again');
    },
  );

  it('is rejected when its ID differs from the key by which the settings are compared', async () => {
    const { exit, stderr, writes } = await applyEdited('agent', (plan) =>
      plan.replace('"id": "171857102"', '"id": "171857106"'),
    );
    expect([exit, writes]).toEqual([11, []]);
    expect(stderr).toContain('"Dana Okafor (102)" with ID 171857106, which is not in the account');
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[()]/g, String.raw`\$&`);
}
