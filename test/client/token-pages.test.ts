import { expect, it } from 'vitest';
import type { PageOptions } from '../../src/client/paging.ts';
import { tokenPages } from '../../src/client/token-pages.ts';
import { Transport } from '../../src/client/transport.ts';
import { fakeService, plainSettings } from '../support/fake-service.ts';

/** A page with two records. */
const page = (first: number, nextPageToken?: unknown) => ({
  status: 200,
  body: { records: [{ id: first }, { id: first + 1 }], paging: { nextPageToken } },
});

/** Reads a list. Returns its IDs and the queries of the requests. */
async function list(pages: readonly ReturnType<typeof page>[], options: PageOptions = {}) {
  const { http, asked } = fakeService(pages);
  const call = { method: 'GET', path: '/x', query: { status: 'Sent' } } as const;
  const ids: number[] = [];
  const records = tokenPages<{ id: number }>(new Transport({ ...plainSettings, http }), call, options);
  for await (const { id } of records) ids.push(id);
  return { ids, queries: asked.map(({ url }) => url.search) };
}

it('reads all pages with the parameters of the list', async () => {
  expect(await list([page(1, 'a&b'), page(3, 'c'), page(5)])).toEqual({
    ids: [1, 2, 3, 4, 5, 6],
    queries: [
      '?status=Sent&perPage=1000',
      '?status=Sent&perPage=1000&pageToken=a%26b',
      '?status=Sent&perPage=1000&pageToken=c',
    ],
  });
});

it.each([
  ['is missing', undefined],
  ['is empty', ''],
  ['is not a text', 7],
])('ends if the next token %s', async (_, token) => {
  expect((await list([page(1, token), page(3)])).ids).toEqual([1, 2]);
});

it('ends if a token is repeated', async () => {
  const { ids } = await list([page(1, 'a'), page(3, 'b'), page(5, 'a'), page(7)]);
  expect(ids).toEqual([1, 2, 3, 4, 5, 6]);
});

it.each([
  [0, [], []],
  [1, [1], [1]],
  [2, [1, 2], [2]],
  [3, [1, 2, 3], [3, 3]],
])('yields at most %i records, and sends no request for more', async (limit, ids, sizes) => {
  const found = await list([page(1, 'a'), page(3, 'b'), page(5)], { limit });
  expect(found.ids).toEqual(ids);
  expect(found.queries.map((query) => Number(new URLSearchParams(query).get('perPage')))).toEqual(sizes);
});

it('never requests more than the largest page', async () => {
  expect((await list([page(1)], { perPage: 5000 })).queries).toEqual(['?status=Sent&perPage=1000']);
});

it('ends with the signal of the caller', async () => {
  const signal = AbortSignal.abort(new Error('stop'));
  await expect(list([page(1)], { signal })).rejects.toThrow('stop');
});
