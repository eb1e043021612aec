import { describe, expect, it } from 'vitest';
import type { Extension } from '../../../src/contract/extension.ts';
import { neededChanges, planAssignments, toBulkAssign } from '../../../src/features/assignment/index.ts';
import { problemText, skippedLine } from '../../../src/features/bulk/index.ts';

function extension(id: number, name: string, more: Partial<Extension> = {}): Extension {
  return {
    uri: 'https://x.example/1',
    id,
    extensionNumber: String(id),
    name,
    type: 'User',
    status: 'Enabled',
    ...more,
  };
}
const support = extension(501, 'Support', { type: 'Department' });
const sales = extension(502, 'Sales', { type: 'Department' });
const ann = extension(101, 'Ann');
const bo = extension(102, 'Bo');
const members = new Map([
  ['501', new Set(['102'])],
  ['502', new Set<string>()],
]);

function requested(queue: Extension, agent: Extension, action: 'add' | 'remove', line?: number) {
  const place = line === undefined ? {} : { place: { file: 'a.csv', line } };
  return { request: { queue: queue.name, agent: agent.name, action, ...place }, queue, agent };
}

describe('planning', () => {
  it('results in the difference, in the fewest items', () => {
    const plan = planAssignments(
      [
        requested(support, ann, 'add'),
        requested(support, bo, 'remove'),
        requested(sales, ann, 'add'),
        requested(sales, bo, 'remove'),
      ],
      members,
    );
    expect(plan.problems).toEqual([]);
    expect(plan.changes.map(({ needed }) => needed)).toEqual([true, true, true, false]);
    expect(toBulkAssign(neededChanges(plan))).toEqual([
      { departmentId: '501', addedExtensionIds: ['101'], removedExtensionIds: ['102'] },
      { departmentId: '502', addedExtensionIds: ['101'] },
    ]);
  });

  it('has no items if everything is up to date, and counts a pair once', () => {
    const plan = planAssignments([requested(support, bo, 'add'), requested(support, bo, 'add')], members);
    expect(plan.changes).toHaveLength(1);
    expect(toBulkAssign(neededChanges(plan))).toEqual([]);
  });

  it('reports contradictions and people who cannot take calls together, with their lines', () => {
    const disabled = extension(103, 'Cy', { status: 'Disabled' });
    const mailbox = extension(104, 'Box', { type: 'Take Messages Only' });
    const { problems, skipped, changes } = planAssignments(
      [
        requested(support, ann, 'add', 2),
        requested(support, ann, 'remove', 3),
        requested(support, disabled, 'add', 4),
        requested(support, mailbox, 'add', 5),
        requested(sales, disabled, 'remove', 6),
      ],
      members,
    );
    expect(problems.map(problemText)).toEqual([
      'a.csv:3:action: Ann (101) cannot be both added to and removed from Support (501)',
    ]);
    expect(changes.map(({ agent }) => agent.name)).toEqual(['Ann', 'Cy']);
    expect(skipped.map(skippedLine)).toEqual([
      'a.csv:4:extension: Cy (103) cannot take calls: its status is Disabled',
      'a.csv:5:extension: Box (104) cannot be an agent: its type is Take Messages Only',
    ]);
  });
});
