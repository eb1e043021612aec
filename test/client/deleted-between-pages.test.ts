import { describe, expect, it } from 'vitest';
import { CallLog } from '../../src/client/resources/call-log.ts';
import { Messages } from '../../src/client/resources/messages.ts';
import { Transport } from '../../src/client/transport.ts';
import { ReplyError } from '../../src/errors/service.ts';
import { fakeReply } from '../support/fake-service.ts';

/** Page size of this service, which is smaller than the requested size. */
const pageSize = 3;

interface Service {
  readonly ids: readonly number[];
  /** Whether the replies have totals; without totals, `navigation` shows whether another page follows. */
  readonly hasTotals: boolean;
  /** Changes the IDs before the service answers its nth request. */
  readonly before: (present: readonly number[], request: number) => readonly number[];
  /** Number of calls that start at the same time. */
  readonly atOnce?: number;
  readonly isOrdered?: boolean;
  /** Whether the service filters by `dateTo`. */
  readonly hasDateTo?: boolean;
}

/** A service whose record `id` starts at second -`id`, so that the records are ordered by ID. */
function openService({ ids, hasTotals, before, atOnce = 1, isOrdered = true, hasDateTo = true }: Service) {
  let present = ids;
  const asked: string[] = [];
  const timeOf = (id: number): string =>
    new Date(Date.UTC(2026, 0, 5) - (isOrdered ? Math.floor(id / atOnce) : id % 2) * 60_000).toISOString();
  const transport = new Transport({
    baseUrl: new URL('https://service.example'),
    tokens: { current: () => Promise.resolve('t'), renew: () => Promise.resolve('t') },
    userAgent: 'test',
    timeoutMilliseconds: 1000,
    http: ({ url }) => {
      const page = Number(url.searchParams.get('page'));
      const dateTo = url.searchParams.get('dateTo');
      asked.push(dateTo === null ? String(page) : `${page} to ${dateTo.slice(14, 19)}`);
      if (asked.length > 100) throw new Error('no end');
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
      const totals = { totalElements: found.length, totalPages: Math.ceil(found.length / pageSize) };
      const hasNext = page * pageSize < found.length;
      const body = {
        records,
        paging: { page, perPage: pageSize, ...(hasTotals && totals) },
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

const ten = Array.from({ length: 10 }, (_, index) => index + 1);
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
    const ids = Array.from({ length: 1000 }, (_, index) => index + 1);
    const { transport } = openService({ ids, hasTotals: true, before: (present) => present.slice(1) });
    await expect(readAll(transport)).rejects.toThrow(ReplyError);
  });
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
    ['more calls than a page start at the same time', { atOnce: 20 }],
    ['it is not ordered by time', { isOrdered: false }],
  ])('continues with the number of the page if %s', async (_, more) => {
    const { transport, asked } = openService({ ids: ten, hasTotals: false, before: deleting({}), ...more });
    expect(await readAll(transport)).toEqual(ten);
    expect(asked).toEqual(['1', '2', '3', '4']);
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
