import { describe, expect, it } from 'vitest';
import { resolveRequests } from '../../../src/features/assignment/index.ts';
import type { Extension } from '../../../src/contract/extension.ts';
import type { Lookup } from '../../../src/runtime/lookup.ts';

const known = new Set(['201', '202', '102', '103']);
/** Finds the numbers of the account, also with the prefix `#`. */
function find(text: string): Promise<Lookup> {
  const id = text.replace('#', '');
  const found = { id, name: `name ${id}`, extensionNumber: id } as Extension;
  const missing = { kind: 'unknown', message: `"${text}" not found`, hint: '', details: [] };
  return Promise.resolve((known.has(id) ? { found } : missing) as Lookup);
}
const place = (line: number) => ({ file: 'q.csv', line, headings: {} });

/** Looks up requests such as `201 102`, of a desired state of queues. */
async function resolve(
  requests: readonly string[],
  desired: readonly string[] = [],
  more: { readonly isWhole?: boolean; readonly rows?: readonly (readonly [string, string])[] } = {},
) {
  const asked: string[] = [];
  const listed = await resolveRequests(
    {
      requests: requests.map((text, row) => {
        const [queue = '', agent = ''] = text.split(' ');
        return { queue, agent, action: 'add', row, place: place(row + 2) };
      }),
      desired: desired.map((queue, at) => ({ queue, place: place(at + 2), isWhole: more.isWhole ?? false })),
      agents: (more.rows ?? []).map(([agent, queues], row) => ({
        agent,
        queues: queues.split(','),
        place: place(row + 2),
      })),
    },
    {
      queue(text) {
        asked.push(text);
        return find(text);
      },
      agent: find,
    },
  );
  return { ...listed, asked, desired: listed.desired.map(({ id }) => id) };
}

describe('the names of a list', () => {
  it('are looked up once', async () => {
    const { resolved, asked } = await resolve(['201 102', '201 103'], ['201', '202']);
    expect(resolved.map(({ queue, agent }) => `${queue.id} ${agent.id}`)).toEqual(['201 102', '201 103']);
    expect(asked).toEqual(['201', '202']);
  });

  it('that are not found are reported, and their rows are skipped', async () => {
    const { resolved, skipped, failures } = await resolve(['201 999', '999 102', '999 998']);
    expect(resolved).toEqual([]);
    expect(skipped.map(({ row, code }) => [row, code])).toEqual([
      [0, 'not_found'],
      [1, 'not_found'],
      [2, 'not_found'],
    ]);
    expect(failures).toHaveLength(4);
  });
});

describe('unlisted members of a desired state', () => {
  it('are removed from the queues whose rows are all found', async () => {
    const { desired, removalsSkipped } = await resolve(['201 102', '202 103'], ['201', '202']);
    expect([desired, removalsSkipped]).toEqual([['201', '202'], []]);
  });

  it('are not removed from a queue with an agent who is not found', async () => {
    const { desired, removalsSkipped } = await resolve(['201 102', '201 999', '202 103'], ['201', '202']);
    expect(desired).toEqual(['202']);
    expect(removalsSkipped).toEqual([
      'no agents are removed from name 201 (201): an agent in its rows was not found',
    ]);
    expect((await resolve(['201 999'])).removalsSkipped).toEqual([]);
  });

  it('are not removed from any queue if a queue is not found', async () => {
    const { desired, removalsSkipped, skipped } = await resolve(['201 102'], ['201', '999']);
    expect(desired).toEqual([]);
    expect(removalsSkipped).toEqual(['no agents are removed: a queue of the list was not found']);
    expect(skipped).toMatchObject([{ queue: '999', agent: '', action: 'remove' }]);
  });
});

describe('a desired state', () => {
  it('cannot list a queue twice if each entry names all of its agents', async () => {
    const { contradictions } = await resolve([], ['201', '#201'], { isWhole: true });
    expect(contradictions).toMatchObject([
      { place: { line: 3 }, text: 'name 201 (201) is listed twice; the first entry is "201" on line 2' },
    ]);
    expect((await resolve([], ['201', '#201'])).contradictions).toEqual([]);
  });

  it('cannot list an agent twice with different marks', async () => {
    const twice = (first: string, second: string) =>
      resolve([], [], {
        rows: [
          ['102', first],
          ['#102', second],
          ['999', '202'],
        ],
      });
    expect((await twice('201,202', '201')).contradictions).toMatchObject([{ place: { line: 3 } }]);
    expect((await twice('201,202', '201,202')).contradictions).toEqual([]);
  });
});
