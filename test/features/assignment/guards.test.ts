import { describe, expect, it } from 'vitest';
import { guardPlan, stricterGuards, type Plan } from '../../../src/features/assignment/index.ts';

const party = (id: string) => ({ id, name: `name ${id}` });

/** A plan with changes such as `201 +102` and `201 -103`; a change in parentheses is already in effect. */
function planOf(...changes: readonly string[]): Plan {
  return {
    changes: changes.map((change) => {
      const [, queue = '', sign, agent = ''] = /(\d+) ([+-])(\d+)/.exec(change) ?? [];
      const action = sign === '+' ? 'add' : 'remove';
      return { queue: party(queue), agent: party(agent), action, needed: !change.startsWith('(') };
    }),
    problems: [],
    skipped: [],
  };
}

const members = new Map([
  ['201', new Set(['102', '103'])],
  ['202', new Set(['104'])],
]);
const noLimits = { maxRemovals: undefined, allowEmpty: true, protectedIds: [] };

describe('the safety limits of a plan of members', () => {
  it.each([
    ['2', 0, 2],
    ['1', 0, undefined],
    // Two of three members.
    ['67%', 0, 2],
    ['66%', 0, undefined],
    ['20%', 2, 2],
  ])('with --max-removals %s, and %i always allowed, permit %s', (given, atLeast, permitted) => {
    const plan = planOf('201 -102', '201 -103', '(202 -105)', '202 +103');
    const guards = guardPlan(plan, members, { ...noLimits, maxRemovals: { given, atLeast } });
    expect(guards.map(({ kind }) => kind)).toEqual(permitted === undefined ? ['max-removals'] : []);
  });

  it('block a queue without agents, unless others are added', () => {
    const guards = (...changes: readonly string[]) =>
      guardPlan(planOf(...changes), members, { ...noLimits, allowEmpty: false });
    expect(guards('201 -102', '201 -103')).toMatchObject([{ kind: 'empty', queue: { id: '201' } }]);
    expect(guards('201 -102', '201 -103', '201 +104')).toEqual([]);
    expect(guards('201 -102', '(202 -104)')).toEqual([]);
    expect(guardPlan(planOf('202 -104'), members, noLimits)).toEqual([]);
  });

  it('block the removal of protected agents from each queue, but not their addition', () => {
    const plan = planOf('201 -102', '202 +102', '201 -103', '(202 -103)');
    const limits = { ...noLimits, protectedIds: ['102', '103'] };
    const guards = guardPlan(plan, members, limits);
    expect(guards).toMatchObject([
      { kind: 'protected', agent: { id: '102' }, queue: { id: '201' } },
      { kind: 'protected', agent: { id: '103' }, queue: { id: '201' } },
    ]);
    expect(stricterGuards(guards, guardPlan(plan, members, limits))).toEqual(guards);
  });

  it('are combined into the stricter limit', () => {
    const removals = (limit: number) =>
      ({ kind: 'max-removals', removed: 9, total: 10, limit, given: String(limit) }) as const;
    expect(stricterGuards([removals(3)], [removals(1)])).toEqual([removals(1)]);
    expect(stricterGuards([removals(1)], [removals(3)])).toEqual([removals(1)]);
  });
});
