import { describe, expect, it } from 'vitest';
import { pages, type PageOptions } from '../../src/client/paging.ts';
import { Transport } from '../../src/client/transport.ts';
import { eventually } from '../support/eventually.ts';

interface Page {
  readonly records: readonly { readonly id: number }[];
  readonly paging?: object;
  readonly navigation?: object;
}

/**
 * A service whose replies wait until the test answers them.
 * @param reply makes the reply to a page.
 * @param unanswered the pages that are never answered.
 */
function service(reply: (page: number) => Page | Error, unanswered: readonly number[] = []) {
  const asked: number[] = [];
  /** Pages whose requests were aborted before the reply. */
  const aborted: number[] = [];
  const open = new Map<number, () => void>();
  let most = 0;
  const transport = new Transport({
    baseUrl: new URL('https://service.example'),
    tokens: { current: () => Promise.resolve('t'), renew: () => Promise.resolve('t') },
    userAgent: 'test',
    timeoutMilliseconds: 1000,
    http: async ({ url, signal }) => {
      const page = Number(url.searchParams.get('page'));
      asked.push(page);
      await new Promise<void>((resolve, reject) => {
        signal?.addEventListener('abort', () => {
          if (open.delete(page)) aborted.push(page);
          reject(signal.reason as Error);
        });
        open.set(page, resolve);
        most = Math.max(most, open.size);
        answer();
      });
      open.delete(page);
      const made = reply(page);
      const status = made instanceof Error ? 404 : 200;
      return {
        status,
        header: () => undefined,
        text: () => Promise.resolve(JSON.stringify(made instanceof Error ? {} : made)),
        bytes: () => {
          throw new Error('not used');
        },
        discard: () => Promise.resolve(),
      };
    },
  });
  /** Answers all open requests, the latest first, once no further request is sent. */
  const answer = (): void => {
    setImmediate(() => {
      const due = [...open].filter(([page]) => !unanswered.includes(page));
      for (const [, resolve] of due.sort(([a], [b]) => b - a)) resolve();
    });
  };
  return { transport, asked, aborted, most: () => most };
}

async function read(reply: (page: number) => Page | Error, options?: PageOptions) {
  const { transport, asked, most } = service(reply);
  const ids: number[] = [];
  const call = { method: 'GET', path: '/x' } as const;
  const list = pages<{ readonly id: number }>(transport, call, options, { readsAhead: true });
  const failure = await (async () => {
    for await (const { id } of list) ids.push(id);
  })().catch((error: unknown) => error);
  return { ids, asked, most: most(), failure };
}

/** A page with two records, of a list with `totalPages` pages. */
const pageOf = (page: number, totalPages: number): Page => ({
  records: [{ id: page * 10 }, { id: page * 10 + 1 }],
  paging: { page, perPage: 2, totalPages },
  navigation: page < totalPages ? { nextPage: { uri: `https://service.example/x?page=${page + 1}` } } : {},
});

const two = { perPage: 2 };

describe('paging: reading ahead', () => {
  it('has two requests open at most, and yields the records in the order of the list', async () => {
    const { ids, asked, most } = await read((page) => pageOf(page, 5), two);
    expect(ids).toEqual([10, 11, 20, 21, 30, 31, 40, 41, 50, 51]);
    expect(asked).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
  });

  it('reads one page at a time if the replies do not name the number of pages', async () => {
    const { ids, most } = await read(
      (page) => ({ records: page < 4 ? pageOf(page, 4).records : [{ id: 40 }] }),
      two,
    );
    expect(ids).toEqual([10, 11, 20, 21, 30, 31, 40]);
    expect(most).toBe(1);
  });

  it('sends no request for a page that the limit excludes', async () => {
    const { ids, asked } = await read((page) => pageOf(page, 9), { perPage: 2, limit: 4 });
    expect(ids).toEqual([10, 11, 20, 21]);
    expect(asked).toEqual([1, 2]);
  });

  it('drops the page that it read ahead if navigation names another page', async () => {
    const { ids, asked } = await read((page) => {
      const made = pageOf(page, 6);
      const jump = { nextPage: { uri: 'https://service.example/x?page=5' } };
      return page === 2 ? { ...made, navigation: jump } : made;
    }, two);
    expect(ids).toEqual([10, 11, 20, 21, 50, 51, 60, 61]);
    expect(asked).toEqual([1, 2, 3, 5, 6]);
  });

  it('drops the page that it read ahead if the list has become shorter', async () => {
    const { ids } = await read((page) => pageOf(page, page === 1 ? 4 : 2), two);
    expect(ids).toEqual([10, 11, 20, 21]);
  });

  it('reads further pages if the list has become longer, and yields shifted records once', async () => {
    const shifted = { records: [{ id: 21 }, { id: 30 }], paging: { page: 3, perPage: 2, totalPages: 4 } };
    const { ids } = await read((page) => (page === 3 ? shifted : pageOf(page, page < 3 ? 3 : 4)), two);
    expect(ids).toEqual([10, 11, 20, 21, 30, 40, 41]);
  });

  it('aborts the open requests if the caller stops early', async () => {
    const { transport, asked, aborted } = service((page) => pageOf(page, 9), [2, 3]);
    const list = pages(transport, { method: 'GET', path: '/x' }, two, { readsAhead: true });
    await list.next();
    await eventually(() => expect(asked).toEqual([1, 2, 3]));
    await list.return();
    expect(aborted).toEqual([2, 3]);
  });

  it('reports the error of a page after the records before this page', async () => {
    const { ids, failure } = await read((page) => (page === 3 ? new Error('gone') : pageOf(page, 4)), two);
    expect(ids).toEqual([10, 11, 20, 21]);
    expect(failure).toMatchObject({ status: 404 });
  });
});
