import { describe, expect, it } from 'vitest';
import { Extensions } from '../../src/client/resources/extensions.ts';
import { Transport } from '../../src/client/transport.ts';

/** Page size of this service, which is smaller than the requested size. */
const pageSize = 3;

/**
 * Reads all extensions of a service with pages of three records.
 * @param before changes the IDs of the service before it answers its nth request.
 */
async function readAll(
  ids: readonly number[],
  before: Readonly<Record<number, (present: readonly number[]) => readonly number[]>>,
) {
  let present = ids;
  const asked: number[] = [];
  const transport = new Transport({
    baseUrl: new URL('https://service.example'),
    tokens: { current: () => Promise.resolve('t'), renew: () => Promise.resolve('t') },
    userAgent: 'test',
    timeoutMilliseconds: 1000,
    http: ({ url }) => {
      const page = Number(url.searchParams.get('page'));
      asked.push(page);
      present = before[asked.length]?.(present) ?? present;
      const records = present
        .slice((page - 1) * pageSize, page * pageSize)
        .map((id) => ({ id, name: `read ${asked.length}` }));
      const paging = {
        page,
        perPage: pageSize,
        totalElements: present.length,
        totalPages: Math.ceil(present.length / pageSize),
      };
      return Promise.resolve({
        status: 200,
        header: () => undefined,
        text: () => Promise.resolve(JSON.stringify({ records, paging })),
        bytes: () => {
          throw new Error('not used');
        },
        discard: () => Promise.resolve(),
      });
    },
  });
  const all = await new Extensions(transport).all();
  return { ids: all.map(({ id }) => id), names: all.map(({ name }) => name), asked };
}

const without =
  (...gone: readonly number[]) =>
  (present: readonly number[]) =>
    present.filter((id) => !gone.includes(id));

describe('a complete list', () => {
  it('is read once if no record is deleted meanwhile', async () => {
    const { ids, asked } = await readAll([1, 2, 3, 4, 5, 6, 7], {});
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(asked).toEqual([1, 2, 3]);
  });

  it('is read again if a record of an earlier page is deleted before page 2', async () => {
    const { ids, asked } = await readAll([1, 2, 3, 4, 5, 6, 7], { 2: without(1) });
    expect(ids).toEqual([2, 3, 4, 5, 6, 7]);
    expect(asked).toEqual([1, 2, 3, 1, 2]);
  });

  it('is read again if it has fewer records than the last total', async () => {
    const { ids } = await readAll([2, 3, 4, 5, 6, 7, 8], { 2: (present) => [1, ...present] });
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('merges two readings if records are deleted during both', async () => {
    const { ids, names, asked } = await readAll([1, 2, 3, 4, 5, 6, 7, 8, 9], {
      2: without(1),
      5: without(2),
    });
    expect(asked).toEqual([1, 2, 3, 1, 2, 3]);
    expect(ids.toSorted((a, b) => Number(a) - Number(b))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(names[ids.indexOf(3)]).toBe('read 4');
  });
});
