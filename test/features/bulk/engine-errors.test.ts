import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/errors/service.ts';
import { runBulk, type BulkWork, type JournalItem } from '../../../src/features/bulk/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { all, lost, type Named, openNamedRun } from './named-run.ts';

type Run = Partial<Parameters<typeof runBulk<Named>>[0]>;

/** A run with these names, whose requests are recorded. */
function runOf(names: readonly string[]) {
  const { journal, run } = openNamedRun(temporaryFolder(), names);
  const requests: (readonly string[])[] = [];
  const execute = (work: BulkWork<Named>, more: Run = {}) =>
    runBulk({
      maxItems: 1,
      concurrency: 1,
      maxErrors: Number.POSITIVE_INFINITY,
      retries: 2,
      sleep: () => Promise.resolve(),
      signal: new AbortController().signal,
      journal,
      run,
      work: {
        ...work,
        send: (items) => {
          requests.push(items.map(({ payload }) => payload.name));
          return work.send(items);
        },
      },
      ...more,
    });
  const statuses = () => journal.items<Named>(run).map(({ status }) => status);
  return { journal, run, requests, execute, statuses };
}

const none = (): Promise<ReadonlySet<number>> => Promise.resolve(new Set());
const rejected = (status: number) =>
  new ApiError({ status, errorCode: 'CMN-102', message: 'no', request: { method: 'POST', path: '/x' } });

describe('an error of a bulk request', () => {
  it('of all items stops the run, if the service allows none of several', async () => {
    const { execute, requests, statuses } = runOf(['a', 'b', 'c']);
    const end = await execute({ send: () => Promise.reject(rejected(403)), observe: none }, { maxItems: 2 });
    expect([end.stopped, requests, statuses()]).toEqual([
      'service',
      [['a', 'b']],
      ['planned', 'planned', 'planned'],
    ]);
  });

  it('has the class that the command gives it', async () => {
    const { execute, statuses } = runOf(['a', 'b']);
    const classify = () => 'stopped' as const;
    const end = await execute({ send: () => Promise.reject(rejected(400)), observe: none, classify });
    expect([end.stopped, statuses()]).toEqual(['service', ['planned', 'planned']]);
  });

  it('does not count as one in a row after a success', async () => {
    const { execute, statuses } = runOf(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);
    const work: BulkWork<Named> = {
      send: ([one]) => (one?.payload.name === 'e' ? Promise.resolve({}) : Promise.reject(rejected(403))),
      observe: async (items) =>
        new Set(items.filter(({ payload }) => payload.name === 'e').map(({ seq }) => seq)),
    };
    expect((await execute(work)).stopped).toBeUndefined();
    expect(statuses()).not.toContain('planned');
  });

  it('causes no further request if all changes are in effect', async () => {
    const { execute, requests, statuses } = runOf(['a', 'b']);
    const work: BulkWork<Named> = {
      send: () => Promise.reject(lost()),
      observe: async (items) => all(items),
    };
    expect((await execute(work, { maxItems: 2 })).stopped).toBeUndefined();
    expect([requests, statuses()]).toEqual([[['a', 'b']], ['ok', 'ok']]);
  });

  it('of the last request interrupts the run after Ctrl-C, because the service may still make the change', async () => {
    const { execute, statuses } = runOf(['a']);
    const stop = new AbortController();
    const send = () => {
      stop.abort();
      return Promise.reject(lost());
    };
    const end = await execute({ send, observe: none }, { signal: stop.signal });
    expect([end.stopped, statuses()]).toEqual(['interrupted', ['sent']]);
  });
});

describe('a rejection of a bulk request', () => {
  it('of all items is not divided further', async () => {
    const { execute, requests, statuses } = runOf(['a', 'b']);
    const findOffenders = (_error: unknown, items: readonly JournalItem<Named>[]) => items;
    await execute(
      { send: () => Promise.reject(rejected(400)), observe: none, findOffenders },
      { maxItems: 2 },
    );
    expect([requests, statuses()]).toEqual([[['a', 'b']], ['failed', 'failed']]);
  });

  it('fails changes that cannot be read back', async () => {
    const { execute, statuses } = runOf(['a']);
    await execute({ send: () => Promise.reject(rejected(400)) });
    expect(statuses()).toEqual(['failed']);
  });

  it('of one of several changes fails only that change, if they cannot be read back', async () => {
    const { journal, run, execute } = runOf(['a', 'b']);
    const why = { code: 'SMS-1', message: 'not a mobile number' };
    const send = async () => ({ requestId: 'r-2', rejected: new Map([[1, why]]) });
    await execute({ send, isShared: true }, { maxItems: 2 });
    expect(journal.items(run)).toMatchObject([
      { status: 'ok', requestId: 'r-2' },
      { ...why, status: 'failed', requestId: 'r-2' },
    ]);
  });
});

describe('a retry of a bulk request', () => {
  const down: BulkWork<Named> = { send: () => Promise.reject(lost()), observe: none };

  it('comes after at most 20 seconds', async () => {
    const waits: number[] = [];
    const sleep = (milliseconds: number) => Promise.resolve(void waits.push(milliseconds));
    await runOf(['a']).execute(down, { retries: 9, sleep });
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]);
  });

  it('is not sent if the wait fails', async () => {
    const { execute, requests } = runOf(['a']);
    const sleep = () => Promise.reject(new Error('no timer'));
    await expect(execute(down, { sleep })).rejects.toThrow('no timer');
    expect(requests).toHaveLength(1);
  });
});

describe('a bulk run that is resumed', () => {
  it('begins its progress with what the interrupted run sent', async () => {
    const { journal, run, execute } = runOf(['a', 'b', 'c']);
    journal.markSent(run, [0, 1]);
    const reported: number[] = [];
    const onProgress = ({ done }: { readonly done: number }) => void reported.push(done);
    await execute({ send: async () => ({}), observe: async (items) => all(items) }, { onProgress });
    expect(reported).toEqual([2, 3]);
  });

  it('does not change the reason of an unknown outcome that cannot be read back', async () => {
    const { journal, run, execute } = runOf(['a']);
    const blind: BulkWork<Named> = { send: () => Promise.reject(lost()) };
    await execute(blind);
    const before = journal.items(run);
    await execute(blind);
    expect(journal.items(run)).toEqual(before);
    expect(before).toMatchObject([{ status: 'unknown', code: 'ECONNRESET' }]);
  });
});

it('items of a shared request are sent together, although they cannot be read back', async () => {
  const { execute, requests } = runOf(['a', 'b', 'c']);
  await execute({ send: async () => ({}), isShared: true }, { maxItems: 2 });
  expect(requests).toEqual([['a', 'b'], ['c']]);
});
