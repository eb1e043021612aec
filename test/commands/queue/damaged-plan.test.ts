import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDesk, type Desk } from '../../matrix/desk.ts';

type Plan = Record<string, never>;

/** Damages the object or the list at `path`: replaces the member by `value`, or removes it. */
function damaged(plan: Plan, path: string, value?: unknown): Plan {
  const copy = structuredClone(plan);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce<Record<string, unknown>>(
    (at, name) => at[name] as Record<string, unknown>,
    copy,
  );
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

describe('a damaged plan is not applied', () => {
  let desk: Desk;
  const plans = new Map<string, Plan>();
  beforeAll(async () => {
    desk = await openDesk({
      sandbox: { dialect: 'current' },
      files: {
        'queues.yaml':
          'queues:\n  - queue: Support\n    agents: [102, 103, 104, 105]\n    settings: { alertTimer: 30 }\n',
        'people.yaml': 'agents:\n  - agent: 102\n    department: Support\n',
      },
    });
    for (const [noun, file] of [
      ['queue', 'queues.yaml'],
      ['agent', 'people.yaml'],
    ] as const) {
      await desk.run(`${noun} plan -f ${file} --plan-out plan.json`);
      plans.set(noun, JSON.parse(readFileSync(join(desk.cwd, 'plan.json'), 'utf8')) as Plan);
    }
    return () => desk[Symbol.asyncDispose]();
  });

  const text = 'a text';
  it.each([
    ['queue', 'baseUrl', {}],
    ['queue', 'changes.1', text],
    ['queue', 'changes.1', null],
    ['queue', 'changes.0.agentName', {}],
    ['queue', 'changes.0.action', text],
    ['queue', 'changes.0.requested', undefined],
    ['queue', 'changes.0.rows', text],
    ['queue', 'problems', [5]],
    ['queue', 'contradictions', undefined],
    ['queue', 'skipped', undefined],
    ['queue', 'guards', undefined],
    ['queue', 'guards', [null]],
    ['queue', 'before.171857201', 5],
    ['queue', 'limits.maxRemovals', text],
    ['queue', 'limits.allowEmpty', undefined],
    ['queue', 'limits.protectedIds', [5]],
    ['queue', 'input.headings', undefined],
    ['queue', 'input.rows', undefined],
    ['queue', 'input.rows.0', text],
    ['queue', 'input.dialect', {}],
    ['queue', 'settings.plan.changes', undefined],
    ['queue', 'settings.limits.0', null],
    ['queue', 'settings.limits.0.maxChanges', {}],
    ['agent', 'of', undefined],
    ['agent', 'limits.maxChanges', null],
    ['agent', 'limits.protectedIds', undefined],
    ['agent', 'changes.0.title', 5],
  ])('%s plan, %s: %j', async (noun, path, value) => {
    const plan = plans.get(noun) ?? {};
    writeFileSync(join(desk.cwd, 'damaged.json'), JSON.stringify(damaged(plan, path, value)));
    desk.writes();
    const { exit, stderr } = await desk.run(`${noun} apply -f damaged.json --yes`);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('damaged.json: the plan is incomplete')]);
    expect(desk.writes()).toEqual([]);
  });

  it.each([
    [undefined, 'the plan has no version'],
    [{}, 'the plan has version {}'],
    [9, 'the plan has version 9'],
  ])('version %j', async (version, message) => {
    for (const noun of ['queue', 'agent']) {
      const plan = damaged(plans.get(noun) ?? {}, 'version', version);
      writeFileSync(join(desk.cwd, 'damaged.json'), JSON.stringify(plan));
      const { exit, stderr } = await desk.run(`${noun} apply -f damaged.json --yes`);
      expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});
