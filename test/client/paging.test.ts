import { describe, expect, it } from 'vitest';
import { ApiError, buildClient, type Client } from '../../src/client/index.ts';
import { pages, type PageOptions } from '../../src/client/paging.ts';
import { Transport } from '../../src/client/transport.ts';
import { fakeReply, fakeService, plainSettings } from '../support/fake-service.ts';
import { linksOf } from '../support/signal-links.ts';

interface Page {
  readonly uri?: string;
  readonly records: readonly { readonly id: number | string }[];
  readonly paging?: object;
  readonly navigation?: object;
}

/** An error reply. */
interface Rejection {
  readonly status: number;
  readonly body: object;
}

/** Reads a list from replies made by `reply`, and gives the ids and the pages that were asked for. */
async function read(
  reply: (page: number, perPage: number) => Page | Rejection,
  options?: PageOptions,
  renew = () => Promise.resolve('t'),
  ids: (number | string)[] = [],
) {
  const asked: [number, number][] = [];
  const transport = new Transport({
    baseUrl: new URL('https://service.example'),
    tokens: { current: () => Promise.resolve('t'), renew },
    userAgent: 'test',
    timeoutMilliseconds: 1000,
    http: ({ url }) => {
      const [page, perPage] = [Number(url.searchParams.get('page')), Number(url.searchParams.get('perPage'))];
      asked.push([page, perPage]);
      if (asked.length > 50) throw new Error('no end');
      const answer = reply(page, perPage);
      return Promise.resolve(fakeReply('status' in answer ? answer : { status: 200, body: answer }));
    },
  });
  for await (const { id } of pages<Page['records'][number]>(
    transport,
    { method: 'GET', path: '/x' },
    options,
  ))
    ids.push(id);
  return { ids, asked };
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: from + index }));

/** The first id of a page whose records no other page has. */
const firstId = (page: number): number => page * 1000;

describe('paging', () => {
  it('asks for the largest page and ends at a short one without totals', async () => {
    const { ids, asked } = await read(() => ({ records: range(1, 3), navigation: {} }));
    expect(ids).toEqual([1, 2, 3]);
    expect(asked).toEqual([[1, 1000]]);
  });

  it('continues after a full page, and ends at the short one', async () => {
    const { ids, asked } = await read(
      (page) => ({ records: page < 3 ? range(page * 2 - 1, page * 2) : range(5, 5), navigation: {} }),
      {
        perPage: 2,
      },
    );
    expect(ids).toEqual([1, 2, 3, 4, 5]);
    expect(asked.map(([page]) => page)).toEqual([1, 2, 3]);
  });

  it('recognizes a page that the service made smaller', async () => {
    const { ids } = await read((page) => ({
      records: page === 1 ? range(1, 100) : range(101, 150),
      paging: { page, perPage: 100 },
    }));
    expect(ids).toHaveLength(150);
  });

  const clamped: readonly (readonly [string, (page: number) => Omit<Page, 'records'>, number])[] = [
    ['only a total', (page) => ({ paging: { page, totalElements: 5 } }), 3],
    ['a total and no next page', (page) => ({ paging: { page, totalElements: 5 }, navigation: {} }), 3],
    [
      'only the address of the page',
      (page) => ({ uri: `https://service.example/x?perPage=2&page=${page}` }),
      3,
    ],
    ['neither', () => ({}), 4],
    ['paging without totals', (page) => ({ paging: { page } }), 4],
  ];
  it.each(clamped)('recognizes a smaller page by %s', async (_, members, requests) => {
    const { ids, asked } = await read((page) => ({
      records: page > 3 ? [] : range(page * 2 - 1, Math.min(page * 2, 5)),
      ...members(page),
    }));
    expect([ids, asked.length]).toEqual([[1, 2, 3, 4, 5], requests]);
  });

  describe('if the service rejects the page after the last one', () => {
    const rejection = (status: number): Rejection => ({
      status,
      body: { errorCode: 'CMN-101', message: 'Parameter [page] value is invalid' },
    });

    it.each([400, 404])('ends with %i if no reply shows that the page exists', async (status) => {
      const { ids, asked } = await read((page) =>
        page > 2 ? rejection(status) : { records: range(page * 2 - 1, page * 2) },
      );
      expect([ids, asked.length]).toEqual([[1, 2, 3, 4], 3]);
    });

    const full: readonly (readonly [string, Omit<Page, 'records'>])[] = [
      ['its size', { paging: { page: 1, perPage: 2 } }],
      ['its address', { uri: 'https://service.example/x?perPage=2' }],
      ['navigation without a next page', { navigation: {} }],
    ];
    it.each(full)('ends after a full page with %s, which may be the last one', async (_, members) => {
      const { ids } = await read(
        (page) => (page > 2 ? rejection(404) : { records: range(page * 2 - 1, page * 2), ...members }),
        { perPage: 2 },
      );
      expect(ids).toEqual([1, 2, 3, 4]);
    });

    const named: readonly (readonly [string, Omit<Page, 'records'>])[] = [
      ['navigation', { navigation: { nextPage: { uri: 'https://service.example/x?page=2' } } }],
      ['the number of pages', { paging: { page: 1, totalPages: 2 } }],
      ['the total', { paging: { page: 1, totalElements: 4 } }],
      ['the total of a full page', { paging: { page: 1, perPage: 2, totalElements: 4 } }],
    ];
    it.each(named)('fails if %s shows that the page exists', async (_, members) => {
      const list = read((page) => (page > 1 ? rejection(404) : { records: range(1, 2), ...members }));
      await expect(list).rejects.toThrow('Parameter [page] value is invalid');
    });

    it('fails with 403', async () => {
      const list = read((page) => (page > 1 ? rejection(403) : { records: range(1, 2) }));
      await expect(list).rejects.toThrow('Parameter [page] value is invalid');
    });

    it('fails if the token expires and its renewal is rejected', async () => {
      const request = { method: 'POST', path: '/restapi/oauth/token' };
      const renew = () =>
        Promise.reject(
          new ApiError({ status: 400, errorCode: 'invalid_client', message: 'no app', request }),
        );
      const list = read((page) => (page > 1 ? rejection(401) : { records: range(1, 2) }), undefined, renew);
      await expect(list).rejects.toThrow('no app');
    });

    it('fails with a 404 of another server', async () => {
      const list = read((page) => (page > 1 ? { status: 404, body: {} } : { records: range(1, 2) }));
      await expect(list).rejects.toMatchObject({ status: 404 });
    });

    it('fails if the service rejects the first page', async () => {
      await expect(read(() => rejection(404))).rejects.toMatchObject({ status: 404 });
    });
  });

  it('ends by the total if present, although the last page is full', async () => {
    const { asked } = await read(
      (page) => ({ records: range(page * 2 - 1, page * 2), paging: { page, perPage: 2, totalPages: 2 } }),
      { perPage: 2 },
    );
    expect(asked).toHaveLength(2);
  });

  it('ends by the number of records if present, although the last page is full', async () => {
    const { asked } = await read(
      (page) => ({ records: range(page * 2 - 1, page * 2), paging: { page, perPage: 2, totalElements: 4 } }),
      { perPage: 2 },
    );
    expect(asked).toHaveLength(2);
  });

  describe('if the service returns the same records for each page', () => {
    const next = (page: number) => ({ nextPage: { uri: `https://service.example/x?page=${page}` } });
    const full: readonly (readonly [string, (page: number) => Omit<Page, 'records'>])[] = [
      ['as many as were requested', () => ({})],
      ['as many as a page has', () => ({ paging: { page: 1, perPage: 2 } })],
      ['as many as the address names', () => ({ uri: 'https://service.example/x?perPage=2&page=1' })],
      ['and a total that promises more', (page) => ({ paging: { page, totalElements: 500 } })],
      ['and names page 2 as the next page', () => ({ navigation: next(2) })],
      ['and names a next page after each page', (page) => ({ navigation: next(page + 1) })],
    ];
    it.each(full)('fails with %s', async (_, members) => {
      const perPage = _ === 'as many as were requested' ? 2 : 1000;
      const records: number[] = [];
      const list = read(
        (page) => ({ records: range(1, 2), ...members(page) }),
        { perPage },
        undefined,
        records,
      );
      await expect(list).rejects.toMatchObject({
        name: 'ReplyError',
        message: 'GET /x returned HTTP 200 with the same records for each page number',
        hint: expect.stringContaining('shorter period') as string,
      });
      expect(records).toEqual([1, 2]);
    });

    const whole: readonly (readonly [string, number, Omit<Page, 'records'>])[] = [
      ['fewer than were requested', 3, {}],
      ['more than were requested', 1, {}],
      ['fewer than a page has', 2, { paging: { page: 1, perPage: 3 } }],
    ];
    it.each(whole)('ends with %s', async (_, perPage, members) => {
      const { ids, asked } = await read(() => ({ records: range(1, 2), ...members }), { perPage });
      expect(ids).toEqual([1, 2]);
      expect(asked.length).toBeLessThanOrEqual(2);
    });
  });

  it('ends after a repeated first page if no record follows it', async () => {
    const { ids, asked } = await read((page) => ({ records: page > 2 ? [] : range(1, 2) }), { perPage: 2 });
    expect([ids, asked.length]).toEqual([[1, 2], 3]);
  });

  it('ends if the service repeats the last page for later pages', async () => {
    const { ids, asked } = await read(
      (page) => ({ records: range(Math.min(page, 2) * 2 - 1, Math.min(page, 2) * 2) }),
      { perPage: 2 },
    );
    expect([ids, asked.length]).toEqual([[1, 2, 3, 4], 3]);
  });

  it.each([2, 6, 30])('ends if %i pages repeat, each with a next page', async (cycle) => {
    const { ids, asked } = await read(
      (page) => {
        const shown = (page - 1) % cycle;
        return {
          records: range(shown * 2 + 1, shown * 2 + 2),
          navigation: { nextPage: { uri: `https://service.example/x?page=${shown + 2}` } },
        };
      },
      { perPage: 2 },
    );
    expect(ids).toHaveLength(cycle * 2);
    expect(asked).toHaveLength(cycle + 1);
  });

  it('ends if more records repeat than it stores keys for', async () => {
    const { ids, asked } = await read((page, perPage) => {
      const first = ((page - 1) % 6) * perPage + 1;
      return { records: range(first, first + perPage - 1) };
    });
    expect([ids.length, asked.length]).toEqual([6000, 7]);
  });

  it.each([
    ['begins', [1, 4, 5]],
    ['ends', [4, 5, 3]],
    ['begins and ends', [1, 4, 5, 3]],
  ])('continues after a page that %s with the same record as an earlier page', async (_, second) => {
    const { ids } = await read(
      (page) => ({ records: page === 2 ? second.map((id) => ({ id })) : range(page * 3 - 2, page * 3) }),
      { perPage: 3, limit: 7 },
    );
    expect(ids).toEqual([1, 2, 3, 4, 5, 7, 8]);
  });

  it('ends if the last page names itself as the next one', async () => {
    const { ids, asked } = await read(
      (page) => {
        const shown = Math.min(page, 3);
        return {
          records: range(shown * 2 - 1, shown * 2),
          paging: { page: shown, perPage: 2 },
          navigation: { nextPage: { uri: `https://service.example/x?page=${Math.min(page + 1, 3)}` } },
        };
      },
      { perPage: 2 },
    );
    expect([ids, asked.length]).toEqual([[1, 2, 3, 4, 5, 6], 3]);
  });

  it('skips records already returned if the list shifts between pages', async () => {
    const { ids } = await read(
      (page) => ({ records: [range(1, 3), [{ id: 3 }, { id: 4 }, { id: 5 }], [{ id: 6 }]][page - 1] ?? [] }),
      { perPage: 3 },
    );
    expect(ids).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('skips records of a page that insertions moved, although their content has changed', async () => {
    const { ids } = await read(
      (page) => ({
        records: [range(1, 5), range(2, 6), []][page - 1]?.map(({ id }) => ({ id, readOn: page })) ?? [],
      }),
      { perPage: 5 },
    );
    expect(ids).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('yields all records without an ID', async () => {
    const named = (page: number) => [{ name: `a${page}` }, { name: `b${page}` }];
    const { ids } = await read((page) => ({ records: named(page) as unknown as Page['records'] }), {
      perPage: 2,
      limit: 4,
    });
    expect(ids).toHaveLength(4);
  });

  it('follows navigation past a short page', async () => {
    const { ids } = await read((page) => ({
      records: range(page, page),
      navigation: page < 3 ? { nextPage: { uri: 'https://service.example/x' } } : {},
    }));
    expect(ids).toEqual([1, 2, 3]);
  });

  it('ends if the next page is one that it has read, although its records are new', async () => {
    const { ids, asked } = await read((page) => ({
      records: range(firstId(page), firstId(page) + 1),
      navigation: { nextPage: { uri: 'https://service.example/x?page=3&perPage=2' } },
    }));
    expect(asked.map(([page]) => page)).toEqual([1, 3]);
    expect(ids).toHaveLength(4);
  });

  it('reads the page that navigation names, not the number after the current one', async () => {
    const next = new Map([
      [1, 5],
      [5, 9],
    ]);
    const { asked } = await read((page) => ({
      records: range(page, page),
      navigation: next.has(page) ? { nextPage: { uri: `/x?page=${next.get(page)}` } } : {},
    }));
    expect(asked.map(([page]) => page)).toEqual([1, 5, 9]);
  });

  it('stops at the limit, without unnecessary requests', async () => {
    const { ids, asked } = await read((_, perPage) => ({ records: range(1, perPage) }), { limit: 4 });
    expect(ids).toEqual([1, 2, 3, 4]);
    expect(asked).toEqual([[1, 4]]);
  });

  it('yields no more records than the limit, which is not a multiple of the page size', async () => {
    const { ids, asked } = await read((page) => ({ records: range(page * 2 - 1, page * 2) }), {
      perPage: 2,
      limit: 5,
    });
    expect([ids, asked.length]).toEqual([[1, 2, 3, 4, 5], 3]);
  });

  it.each([0, -1])('yields nothing with the limit %i, without a request', async (limit) => {
    const { ids, asked } = await read(() => ({ records: range(1, 2) }), { limit });
    expect([ids, asked]).toEqual([[], []]);
  });

  it('leaves nothing on the signal of the caller', async () => {
    const { signal } = new AbortController();
    const { ids } = await read((page) => ({ records: range(page, page), paging: { totalPages: 2 } }), {
      signal,
    });
    expect(ids).toEqual([1, 2]);
    expect(linksOf(signal)).toBe(0);
  });

  it('fails for a reply that is not a list', async () => {
    await expect(read(() => ({}) as Page)).rejects.toThrow('a body that is not a list of records');
  });

  it('reads an empty list with one request', async () => {
    expect(await read(() => ({ records: [] }))).toEqual({ ids: [], asked: [[1, 1000]] });
  });
});

describe('a page whose records are optional', () => {
  const client = (body: object) =>
    buildClient({ ...plainSettings, http: fakeService([{ status: 200, body }]).http });
  const lists: readonly (readonly [string, (api: Client) => AsyncIterable<unknown>])[] = [
    ['OPERATION-12', (api) => api.presence.list()],
    ['OPERATION-51', (api) => api.smsBatches.list()],
    ['OPERATION-53', (api) => api.smsBatches.messages()],
    ['OPERATION-64', (api) => api.answeringRules.list('101')],
    ['OPERATION-69', (api) => api.auditTrail.search()],
  ];

  it.each(lists)(
    'spec:OPERATION-12, OPERATION-51, OPERATION-53, OPERATION-64, OPERATION-69 has no records if it has only paging: %s',
    async (_rule, list) => {
      const found: unknown[] = [];
      for await (const one of list(client({ paging: { page: 1, perPage: 100 } }))) found.push(one);
      expect(found).toEqual([]);
      const unrelated = list(client({ ok: true }))[Symbol.asyncIterator]();
      await expect(unrelated.next()).rejects.toThrow('a body that is not a list of records');
    },
  );
});
