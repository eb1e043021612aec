import { describe, expect, it } from 'vitest';
import {
  assignmentWork,
  invertRun,
  planAssignments,
  type AssignmentDetail,
  type AssignmentPayload,
  type Plan,
} from '../../../src/features/assignment/index.ts';
import type { JournalItem } from '../../../src/features/bulk/index.ts';
import type { Extension } from '../../../src/contract/extension.ts';
import type { ItemStatus } from '../../../src/features/bulk/run-summaries.ts';

type Action = 'add' | 'remove';
const extension = (id: string, more: Partial<Extension> = {}): Extension => ({
  id,
  name: `name ${id}`,
  type: 'User',
  status: 'Enabled',
  ...more,
});
const members = new Map([['201', new Set(['102', '103'])]]);

/** Plans requests such as `+102` for the queue 201; their rows count from 0. */
function plan(
  requests: readonly string[],
  scope: Parameters<typeof planAssignments>[2] = {},
  agent = {},
): Plan {
  const resolved = requests.map((text, row) => {
    const action: Action = text.startsWith('+') ? 'add' : 'remove';
    const id = text.slice(1);
    return {
      request: { queue: '201', agent: id, action, row },
      queue: extension('201'),
      agent: extension(id, agent),
    };
  });
  return planAssignments(resolved, members, scope);
}
const textsOf = ({ changes }: Plan) =>
  changes.map(({ agent, action, needed, rows = [] }) => {
    const text = `${action === 'add' ? '+' : '-'}${agent.id} ${rows.join()}`.trim();
    return needed ? text : `(${text})`;
  });

describe('a plan of members', () => {
  it('contains each pair once, with all of its rows', () => {
    const found = plan(['+104', '+102', '+104', '-103']);
    expect([textsOf(found), found.problems]).toEqual([['+104 0,2', '(+102 1)', '-103 3'], []]);
  });

  it('has a problem if an agent is both added and removed', () => {
    expect(plan(['+104', '-104']).problems).toHaveLength(1);
  });

  it('removes unlisted members of the desired queues, and contains only the changes of its mode', () => {
    const desired = [extension('201')];
    const of = (mode?: 'add-only' | 'remove-only') =>
      textsOf(plan(['+104', '+102'], { desired, ...(mode && { mode }) }));
    expect(of()).toEqual(['+104 0', '(+102 1)', '-103']);
    expect(of('add-only')).toEqual(['+104 0', '(+102 1)']);
    expect(of('remove-only')).toEqual(['-103']);
  });

  it.each([{ status: 'Disabled' }, { status: 'NotActivated' }, { type: 'IvrMenu' }])(
    'skips the addition of an agent with %j, but not a removal or an unchanged member',
    (agent) => {
      const found = plan(['+104', '+102', '-103'], {}, agent);
      expect(textsOf(found)).toEqual(['(+102 1)', '-103 2']);
      expect(found.skipped).toMatchObject([{ agent: '104', code: 'not_an_agent' }]);
      expect(plan(['+104'], { mode: 'remove-only' }, agent).skipped).toEqual([]);
    },
  );
});

const itemOf = (text: string, seq: number, status: ItemStatus = 'ok'): JournalItem<AssignmentPayload> => {
  const [queue = '', change = ''] = text.split(' ');
  const payload = {
    queue: { id: queue, name: queue },
    agent: { id: change.slice(1), name: change },
    action: change.startsWith('+') ? ('add' as const) : ('remove' as const),
    rows: [],
  };
  const empty = { code: undefined, message: undefined, requestId: undefined, time: undefined };
  return { ...empty, seq, action: payload.action, subject: text, payload, status, attempts: 1 };
};

describe('the plan that undoes a run of members', () => {
  const detail = { before: { 201: ['102', '103'] } } as unknown as AssignmentDetail;
  const invert = (now: readonly string[], ...items: readonly JournalItem<AssignmentPayload>[]) =>
    invertRun(() => Promise.resolve(new Map([['201', new Set(now)]])), detail, items);

  it('reverses the changes that are still in effect', async () => {
    const run = [itemOf('201 +104', 0), itemOf('201 -102', 1), itemOf('201 +105', 2, 'failed')];
    const unchanged = await invert(['103', '104'], ...run);
    expect([textsOf(unchanged.plan), unchanged.changedSince]).toEqual([['-104', '+102'], []]);
    const changed = await invert(['102', '103', '104'], ...run);
    expect([textsOf(changed.plan), changed.changedSince]).toEqual([['-104', '(+102)'], ['201']]);
  });

  it('reverses an unknown change only if it is in effect, and was not before', async () => {
    const run = [itemOf('201 +104', 0, 'unknown'), itemOf('201 +102', 1, 'unknown')];
    expect(textsOf((await invert(['102', '103', '104'], ...run)).plan)).toEqual(['-104']);
    expect(textsOf((await invert(['102', '103'], ...run)).plan)).toEqual([]);
  });
});

describe('the requests of a run of members', () => {
  const clientOf = (queuesPerRequest: number) =>
    ({
      departments: {
        queuesPerRequest,
        async *members() {
          yield { id: '102' };
        },
      },
    }) as never;
  const items = ['201 +104', '201 -103', '202 -105', '202 -106'].map((text, seq) => itemOf(text, seq));

  it.each([
    ['items[0].addedExtensionIds[0]', [0]],
    ['items[0].removedExtensionIds[0]', [1]],
    ['items[1].removedExtensionIds[1]', [3]],
    ['items[1].departmentId', [2, 3]],
    ['removedExtensionIds[0]', [1]],
    ['items[5].departmentId', []],
    ['something else', []],
  ])('an error at %s concerns the changes %j', (parameterName, expected) => {
    const error = Object.assign(new Error('no'), { errors: [{ parameterName }] });
    const found = assignmentWork(clientOf(1000)).findOffenders?.(error, items) ?? [];
    expect(found.map(({ seq }) => seq)).toEqual(expected);
  });

  it('have one queue if the service requires it', () => {
    const [first, , other] = items;
    const groupsOf = (queues: number) =>
      [first, other].map((item) => item && assignmentWork(clientOf(queues)).groupOf?.(item));
    expect(groupsOf(1)).toEqual(['201', '202']);
    expect(groupsOf(1000)).toEqual([undefined, undefined]);
  });

  it('are read back: additions of members, and removals of others, are in effect', async () => {
    const changes = ['201 +102', '201 +104', '201 -102', '201 -104'].map((text, seq) => itemOf(text, seq));
    expect(await assignmentWork(clientOf(1)).observe?.(changes)).toEqual(new Set([0, 3]));
  });
});
