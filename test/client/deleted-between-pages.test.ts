import { describe, expect, it } from 'vitest';
import { CallLog } from '../../src/client/resources/call-log.ts';
import { Messages } from '../../src/client/resources/messages.ts';
import { Transport } from '../../src/client/transport.ts';
import { ReplyError } from '../../src/errors/service.ts';
import { Dice } from '../support/dice.ts';
import { fakeReply } from '../support/fake-service.ts';

interface Service {
  readonly ids: readonly number[];
  /** Whether the replies have totals; without totals, `navigation` shows whether another page follows. */
  readonly hasTotals: boolean;
  /** Changes the IDs before the service answers its nth request. */
  readonly before: (present: readonly number[], request: number) => readonly number[];
  /** The minute in which a record starts, counted back from the latest. */
  readonly minuteOf?: (id: number) => number;
  /** Whether the service filters by `dateTo`. */
  readonly hasDateTo?: boolean;
  /** Whether replies name the page size and the number of pages. */
  readonly hasPageCount?: boolean;
  /** Total in place of the number of records. */
  readonly total?: number;
  /** Page size of this service, which is smaller than the requested size. */
  readonly pageSize?: number;
  /** Most requests that this service answers. */
  readonly most?: number;
}

/** A service whose record `id` starts at minute -`id`, so that the records are ordered by ID. */
function openService(service: Service) {
  const { ids, hasTotals, before, minuteOf = (id) => id, hasDateTo = true } = service;
  const { pageSize = 3, most = 100, hasPageCount = true } = service;
  let present = ids;
  const asked: string[] = [];
  const timeOf = (id: number): string => new Date(Date.UTC(2026, 0, 5) - minuteOf(id) * 60_000).toISOString();
  const transport = new Transport({
    baseUrl: new URL('https://service.example'),
    tokens: { current: () => Promise.resolve('t'), renew: () => Promise.resolve('t') },
    userAgent: 'test',
    timeoutMilliseconds: 1000,
    http: ({ url }) => {
      const page = Number(url.searchParams.get('page'));
      const dateTo = url.searchParams.get('dateTo');
      asked.push(dateTo === null ? String(page) : `${page} to ${dateTo.slice(14, 19)}`);
      if (asked.length > most) throw new Error('no end');
      present = before(present, asked.length);
      const found = present.filter((id) => !hasDateTo || dateTo === null || timeOf(id) < dateTo);
      const records = found.slice((page - 1) * pageSize, page * pageSize).map((id) => ({
        uri: `https://service.example/${id}`,
        id: String(id),
        sessionId: '1',
        type: 'Voice',
        startTime: timeOf(id),
        creationTime: timeOf(id),
      }));
      const total = service.total ?? found.length;
      const totals = {
        totalElements: total,
        ...(hasPageCount && { totalPages: Math.ceil(total / pageSize) }),
      };
      if (page > 1 && !hasPageCount && records.length === 0)
        return Promise.resolve(
          fakeReply({ status: 404, body: { errorCode: 'CMN-102', message: 'no page' } }),
        );
      const hasNext = page * pageSize < found.length;
      const body = {
        records,
        paging: { page, ...(hasPageCount && { perPage: pageSize }), ...(hasTotals && totals) },
        navigation: hasNext && !hasTotals ? { nextPage: { uri: `https://x?page=${page + 1}` } } : {},
      };
      return Promise.resolve(fakeReply({ status: 200, body }));
    },
  });
  return { transport, asked };
}

const deleting =
  (gone: Readonly<Record<number, readonly number[]>>) =>
  (present: readonly number[], request: number): readonly number[] =>
    present.filter((id) => !gone[request]?.includes(id));

async function read(list: AsyncIterable<{ readonly id: number | string }>): Promise<readonly number[]> {
  const ids = [];
  for await (const { id } of list) ids.push(Number(id));
  return ids;
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
const ten = upTo(10);
const since = { dateFrom: '2025-01-01T00:00:00Z' };

const lists = {
  'list of calls': (transport: Transport) => read(new CallLog(transport).list('account', since)),
  'list of messages': (transport: Transport) =>
    read(new Messages(transport, { syncOwner: undefined, hasAvailabilityById: true }).list('~', since)),
};

describe.each(Object.entries(lists))('a %s with totals', (_, readAll) => {
  const service = (gone: Readonly<Record<number, readonly number[]>>) =>
    openService({ ids: ten, hasTotals: true, before: deleting(gone) });

  it('is read with one request for each page', async () => {
    const { transport, asked } = service({});
    expect(await readAll(transport)).toEqual(ten);
    expect(asked).toEqual(['1', '2', '3', '4']);
  });

  it('has the records that deletions moved to an earlier page, in order', async () => {
    const { transport, asked } = service({ 2: [1, 2] });
    expect(await readAll(transport)).toEqual(ten);
    expect(asked).toEqual(['1', '2', '1', '2', '3']);
  });

  it('has all records if more than a page was deleted, or the last page no longer exists', async () => {
    const many = service({ 3: [1, 2, 3, 4] });
    expect(await readAll(many.transport)).toEqual(ten);
    const last = service({ 4: [1] });
    expect(await readAll(last.transport)).toEqual(ten);
  });

  it('ends if only records that were not read yet were deleted', async () => {
    const { transport } = service({ 2: [9] });
    expect(await readAll(transport)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10]);
  });

  it('fails instead of skipping records if records are deleted all the time', async () => {
    const { transport } = openService({
      ids: upTo(1000),
      hasTotals: true,
      before: (present) => present.slice(1),
    });
    await expect(readAll(transport)).rejects.toThrow(ReplyError);
  });

  const unread = [
    ['twice in a row', { count: 10, gone: { 3: [10], 4: [9] }, left: 8, pages: '1,2,3,2,1,2,3' }],
    ['by more than one page', { count: 13, gone: { 3: [10, 11, 12, 13] }, left: 9, pages: '1,2,3,1,2,3' }],
    ['to the first page twice', { count: 10, gone: { 2: [10], 3: [9] }, left: 8, pages: '1,2,1,2,3' }],
  ] as const;
  it.each(unread)('continues after it returned %s', async (_name, { count, gone, left, pages }) => {
    const { transport, asked } = openService({ ids: upTo(count), hasTotals: true, before: deleting(gone) });
    expect(await readAll(transport)).toEqual(upTo(left));
    expect(asked.join(',')).toBe(pages);
  });

  it('yields no record twice if the client returns by many pages', async () => {
    const gone = { 8: upTo(60).slice(40) };
    const { transport } = openService({ ids: upTo(60), hasTotals: true, before: deleting(gone) });
    expect(await readAll(transport)).toEqual(upTo(40));
  });

  it('continues after it returned by more pages than may have no new record', async () => {
    const gone = { 60: upTo(300).slice(200) };
    const { transport } = openService({ ids: upTo(300), hasTotals: true, before: deleting(gone), most: 200 });
    expect(await readAll(transport)).toEqual(upTo(200));
  });

  it('has all records if the service reduces the page size without naming it', async () => {
    const { transport, asked } = openService({
      ids: upTo(12),
      hasTotals: true,
      hasPageCount: false,
      before: deleting({ 3: [1, 2, 3, 4] }),
    });
    expect(await readAll(transport)).toEqual(upTo(12));
    // The service would reject another page.
    expect(asked).toEqual(['1', '2', '3', '1', '2', '3']);
  });

  it('ends at an empty page, although the total promises more', async () => {
    const { transport, asked } = openService({
      ids: ten,
      hasTotals: true,
      total: 1000,
      before: deleting({}),
    });
    expect(await readAll(transport)).toEqual(ten);
    expect(asked).toEqual(['1', '2', '3', '4', '5']);
  });

  it('continues if a page only has records that insertions moved from the previous page', async () => {
    const before = (present: readonly number[], request: number) =>
      request === 2 ? [-2, -1, 0, ...present] : present;
    const { transport } = openService({ ids: ten, hasTotals: true, before });
    expect(await readAll(transport)).toEqual(ten);
  });

  it('continues while records are inserted between many pages', async () => {
    const before = (present: readonly number[], request: number) =>
      request > 1 && request < 40 ? [...upTo(3).map((id) => 100 * request + id), ...present] : present;
    const { transport } = openService({ ids: ten, hasTotals: true, before });
    expect(await readAll(transport)).toEqual(ten);
  });

  it('continues if every other page only has records of the previous page', async () => {
    // The total does not grow, because as many unread records are deleted.
    const before = (present: readonly number[], request: number) =>
      request % 2 === 0 ? [...upTo(3).map((id) => -10 * request - id), ...present.slice(0, -3)] : present;
    const { transport, asked } = openService({ ids: upTo(300), hasTotals: true, before });
    expect(await readAll(transport)).toEqual(upTo(150));
    expect(asked).toHaveLength(100);
  });

  it('fails if every page has the same records', async () => {
    const { transport, asked } = openService({
      ids: upTo(1000),
      hasTotals: true,
      before: (_, request) => [...upTo(3 * request - 3).map((id) => -id), ...upTo(1000)].slice(0, 1000),
    });
    await expect(readAll(transport)).rejects.toThrow('the same records');
    expect(asked.length).toBeLessThan(30);
  });
});

describe('a very long list', () => {
  const readLong = (count: number, gone: { readonly page: number; readonly left: readonly number[] }) => {
    const { transport } = openService({
      ids: upTo(count),
      hasTotals: true,
      before: (present, request) => (request === gone.page ? gone.left : present),
      pageSize: 1000,
    });
    return lists['list of messages'](transport);
  };

  it('fails instead of yielding records twice if most of them are deleted', async () => {
    const list = readLong(70_000, { page: 70, left: upTo(42_000) });
    await expect(list).rejects.toThrow('more records were deleted');
  });

  it('is read completely if one record is deleted', async () => {
    const found = await readLong(60_000, { page: 60, left: upTo(60_000).slice(1) });
    expect(found).toEqual(upTo(60_000));
  });

  it('is read completely if many records are deleted before all keys are used up', async () => {
    const found = await readLong(45_000, { page: 45, left: upTo(10_000) });
    expect(found).toEqual(upTo(44_000));
  });
});

/** A service that inserts new records at the start, and deletes records anywhere, before random requests. */
function randomService(seed: number) {
  const dice = new Dice(seed);
  const ids = upTo(dice.integer(0, 60));
  const always = new Set(ids);
  let newest = ids.length;
  const before = (present: readonly number[], request: number): readonly number[] => {
    if (request === 1) return present;
    const inserted = dice.chance(0.2) ? upTo(dice.integer(0, 5)).map(() => ++newest) : [];
    const all = [...inserted.reverse(), ...present];
    if (dice.chance(0.85)) return all;
    const from = dice.integer(0, all.length);
    const run = all.slice(from, from + dice.integer(0, 12));
    const gone = new Set(dice.chance(0.5) ? run : all.filter(() => dice.chance(0.1)));
    for (const id of gone) always.delete(id);
    return all.filter((id) => !gone.has(id));
  };
  const service = openService({ ids, hasTotals: true, before, pageSize: dice.integer(1, 5), most: 1000 });
  return { ...service, always };
}

it.each(Object.entries(lists))('a %s has every record that always existed, once', async (_, readAll) => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const { transport, always } = randomService(seed);
    const found = await readAll(transport);
    expect(new Set(found).size, `seed ${seed}`).toBe(found.length);
    expect(
      found.filter((id) => always.has(id)),
      `seed ${seed}`,
    ).toEqual([...always]);
  }
});

describe('a list of calls without totals', () => {
  const readAll = lists['list of calls'];

  it('continues at the time of its last record, which deletions do not change', async () => {
    const { transport, asked } = openService({
      ids: ten,
      hasTotals: false,
      before: deleting({ 2: [1, 2], 3: [4] }),
    });
    expect(await readAll(transport)).toEqual(ten);
    expect(asked[1]).toBe('1 to 57:01');
  });

  it.each([
    ['more calls than a page start at the same time', { minuteOf: () => 0 }],
    ['it is not ordered by time', { minuteOf: (id: number) => id % 2 }],
  ])('continues with the number of the page if %s', async (_, more) => {
    const { transport, asked } = openService({ ids: ten, hasTotals: false, before: deleting({}), ...more });
    expect(await readAll(transport)).toEqual(ten);
    expect(asked).toEqual(['1', '2', '3', '4']);
  });

  it('continues with the number of a later page if more calls than a page start at the same time', async () => {
    const { transport, asked } = openService({
      ids: ten,
      hasTotals: false,
      before: deleting({}),
      minuteOf: (id) => Math.min(id, 4),
    });
    expect(await readAll(transport)).toEqual(ten);
    expect(asked).toEqual(['1', '1 to 57:01', '1 to 56:01', '2 to 56:01', '3 to 56:01']);
  });

  it('continues after a page that repeats the first one, because new calls have moved all calls', async () => {
    const { transport, asked } = openService({
      ids: upTo(100),
      hasTotals: false,
      before: (_, request) => (request === 1 ? upTo(100) : [-2, -1, 0, ...upTo(100)]),
      minuteOf: () => 0,
    });
    expect(await readAll(transport)).toEqual(upTo(100));
    expect(asked.slice(0, 4)).toEqual(['1', '2', '3', '4']);
  });

  it('continues with the number of the page if the service ignores dateTo', async () => {
    const { transport, asked } = openService({
      ids: ten,
      hasTotals: false,
      before: deleting({}),
      hasDateTo: false,
    });
    expect(await readAll(transport)).toEqual(ten);
    expect(asked).toEqual(['1', '1 to 57:01', '2', '3', '4']);
  });

  it('continues with the number of the page without dateFrom, because dateTo would select another day', async () => {
    const { transport, asked } = openService({ ids: ten, hasTotals: false, before: deleting({}) });
    expect(await read(new CallLog(transport).list('account'))).toEqual(ten);
    expect(asked).toEqual(['1', '2', '3', '4']);
  });
});
