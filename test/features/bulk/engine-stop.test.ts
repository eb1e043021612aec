import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/errors/service.ts';
import { runBulk, type BulkWork, type JournalItem } from '../../../src/features/bulk/index.ts';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { deferred } from '../../support/deferred.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { all, lost, type Named, openNamedRun } from './named-run.ts';

function runOf(names: readonly string[]) {
  const folder = temporaryFolder();
  const { journal, run } = openNamedRun(folder, names);
  const statuses = () =>
    Object.fromEntries(journal.items<Named>(run).map(({ subject, status }) => [subject, status]));
  /** Makes the journal fail when it records that the first item was made. */
  const failAtFirstResult = () => {
    const db = openDatabase(join(folder, 'runs.db'));
    db.exec(
      "CREATE TRIGGER broken BEFORE UPDATE ON item WHEN NEW.seq = 0 AND NEW.status = 'ok' BEGIN SELECT RAISE(ABORT, 'disk'); END",
    );
    db.close();
  };
  return { journal, run, statuses, failAtFirstResult };
}

const settings = {
  maxItems: 1,
  concurrency: 1,
  maxErrors: Number.POSITIVE_INFINITY,
  retries: 2,
  sleep: () => Promise.resolve(),
  signal: new AbortController().signal,
};
const namesOf = (items: readonly JournalItem<Named>[]) => items.map(({ payload }) => payload.name);
const rejected = (status = 400) =>
  new ApiError({
    status,
    errorCode: 'CMN-102',
    message: 'no',
    requestId: 'r-1',
    request: { method: 'POST', path: '/x' },
  });

describe('the end of a bulk run', () => {
  it('is not an interruption if all changes are made', async () => {
    const { journal, run, statuses } = runOf(['a', 'b']);
    const stop = new AbortController();
    const work: BulkWork<Named> = {
      async send(items) {
        if (namesOf(items).includes('b')) stop.abort();
        return {};
      },
      observe: async (items) => all(items),
    };
    const end = await runBulk({ ...settings, signal: stop.signal, journal, run, work });
    expect([end.stopped, statuses()]).toEqual([undefined, { a: 'ok', b: 'ok' }]);
  });

  it.each([
    ['an accepted change', undefined],
    ['a change without a reply', lost()],
  ])('comes after %s that cannot be read back, and which stays sent', async (_name, failure) => {
    const { journal, run, statuses } = runOf(['a', 'b']);
    const unread = new Error('cannot read');
    const work: BulkWork<Named> = {
      send: () => (failure ? Promise.reject(failure) : Promise.resolve({})),
      observe: () => Promise.reject(unread),
    };
    const end = await runBulk({ ...settings, journal, run, work });
    expect(end).toEqual({ stopped: 'service', error: failure ?? unread });
    expect(statuses()).toEqual({ a: 'sent', b: 'planned' });
  });

  it('comes after a rejected request of several items that cannot be read back', async () => {
    const { journal, run, statuses } = runOf(['a', 'b']);
    const failure = rejected();
    const work: BulkWork<Named> = {
      send: () => Promise.reject(failure),
      observe: () => Promise.reject(new Error('cannot read')),
    };
    const end = await runBulk({ ...settings, maxItems: 2, journal, run, work });
    expect([end, statuses()]).toEqual([
      { stopped: 'service', error: failure },
      { a: 'sent', b: 'sent' },
    ]);
  });

  it('is not an interruption if the service rejected the last request before it', async () => {
    const { journal, run, statuses } = runOf(['a', 'b']);
    const stop = new AbortController();
    const failure = rejected(401);
    const work: BulkWork<Named> = {
      send() {
        stop.abort();
        return Promise.reject(failure);
      },
    };
    const end = await runBulk({ ...settings, signal: stop.signal, journal, run, work });
    expect([end, statuses()]).toEqual([
      { stopped: 'service', error: failure },
      { a: 'planned', b: 'planned' },
    ]);
  });

  it('keeps items without a reply sent if the run was interrupted, because the service may still make the changes', async () => {
    const { journal, run, statuses } = runOf(['a', 'b']);
    const stop = new AbortController();
    const work: BulkWork<Named> = {
      send() {
        stop.abort();
        return Promise.reject(lost());
      },
      observe: async () => new Set(),
    };
    const end = await runBulk({ ...settings, signal: stop.signal, journal, run, work });
    expect([end.stopped, statuses()]).toEqual(['interrupted', { a: 'sent', b: 'planned' }]);
  });

  it('leaves the rest of a divided request planned', async () => {
    const { journal, run, statuses } = runOf(['a', 'b']);
    const work: BulkWork<Named> = { send: () => Promise.reject(rejected()), observe: async () => new Set() };
    const end = await runBulk({ ...settings, maxItems: 2, maxErrors: 0, journal, run, work });
    expect([end.stopped, statuses()]).toEqual(['max-errors', { a: 'failed', b: 'planned' }]);
  });

  it('comes after too many unknown outcomes; those of an earlier attempt count only in the progress', async () => {
    const { journal, run, statuses } = runOf(['a', 'b', 'c', 'd']);
    const reported: unknown[] = [];
    let work: BulkWork<Named> = { send: () => Promise.reject(lost()) };
    const go = () =>
      runBulk({
        ...settings,
        maxErrors: 1,
        onProgress: (one) => void reported.push(one),
        journal,
        run,
        work,
      });
    expect([(await go()).stopped, statuses()]).toEqual([
      'max-errors',
      { a: 'unknown', b: 'unknown', c: 'planned', d: 'planned' },
    ]);
    reported.length = 0;
    work = { send: async () => ({}) };
    expect([(await go()).stopped, statuses()]).toEqual([
      undefined,
      { a: 'unknown', b: 'unknown', c: 'ok', d: 'ok' },
    ]);
    expect(reported).toEqual([
      { done: 2, failed: 2, total: 4 },
      { done: 3, failed: 2, total: 4 },
      { done: 4, failed: 2, total: 4 },
    ]);
  });

  it('prevents a retry that waits meanwhile', async () => {
    const { journal, run, statuses } = runOf(['a', 'b']);
    const [waits, goesOn] = [deferred(), deferred()];
    const sent: string[] = [];
    const work: BulkWork<Named> = {
      async send(items) {
        sent.push(...namesOf(items));
        if (namesOf(items).includes('a')) throw lost();
        await waits.promise;
        throw rejected();
      },
      observe: async () => new Set(),
    };
    const sleep = (): Promise<void> => {
      waits.resolve();
      return goesOn.promise;
    };
    const onProgress = ({ failed }: { readonly failed: number }) => {
      if (failed > 0) setImmediate(() => goesOn.resolve());
    };
    const end = await runBulk({
      ...settings,
      concurrency: 2,
      maxErrors: 0,
      sleep,
      onProgress,
      journal,
      run,
      work,
    });
    expect([end.stopped, sent]).toEqual(['max-errors', ['a', 'b']]);
    expect(statuses()).toEqual({ a: 'planned', b: 'failed' });
  });
});

describe('a failure of the journal', () => {
  it('ends the run when the requests in progress have ended, and no further request starts', async () => {
    const { journal, run, statuses, failAtFirstResult } = runOf(['a', 'b', 'c']);
    failAtFirstResult();
    const goesOn = deferred();
    const work: BulkWork<Named> = {
      async send(items) {
        if (namesOf(items).includes('a')) setImmediate(() => goesOn.resolve());
        else await goesOn.promise;
        return {};
      },
    };
    const running = runBulk({ ...settings, concurrency: 2, journal, run, work });
    await expect(running).rejects.toThrow('disk');
    expect(statuses()).toEqual({ a: 'sent', b: 'ok', c: 'planned' });
  });

  it('prevents a request that is being announced', async () => {
    const { journal, run, statuses, failAtFirstResult } = runOf(['a', 'b', 'c']);
    failAtFirstResult();
    const goesOn = deferred();
    const work: BulkWork<Named> = {
      async send() {
        setImmediate(() => goesOn.resolve());
        return {};
      },
    };
    const beforeSend = (seqs: readonly number[]) => (seqs.includes(0) ? Promise.resolve() : goesOn.promise);
    const running = runBulk({ ...settings, concurrency: 2, beforeSend, journal, run, work });
    await expect(running).rejects.toThrow('disk');
    // A request that still starts would start in this turn of the event loop.
    await new Promise(setImmediate);
    expect(statuses()).toEqual({ a: 'sent', b: 'planned', c: 'planned' });
  });
});

describe('the announcement of a request', () => {
  it.each([
    ['fails', 'service'],
    ['ends after an interruption', 'interrupted'],
  ])('prevents the request if it %s', async (kind, stopped) => {
    const { journal, run, statuses } = runOf(['a', 'b']);
    const stop = new AbortController();
    const failure = new Error('disk full');
    const sent: string[] = [];
    const work: BulkWork<Named> = {
      async send(items) {
        sent.push(...namesOf(items));
        return {};
      },
    };
    const beforeSend = (seqs: readonly number[]): Promise<void> => {
      if (seqs.includes(0)) return Promise.resolve();
      if (kind === 'fails') return Promise.reject(failure);
      return Promise.resolve(stop.abort());
    };
    const end = await runBulk({ ...settings, signal: stop.signal, beforeSend, journal, run, work });
    expect(end).toEqual({ stopped, error: kind === 'fails' ? failure : undefined });
    expect([sent, statuses()]).toEqual([['a'], { a: 'ok', b: 'planned' }]);
  });
});

describe('the requests of a bulk run', () => {
  it('contain only items of one group', async () => {
    const { journal, run } = runOf(['a1', 'b1', 'a2', 'b2', 'a3']);
    const requests: (readonly string[])[] = [];
    const work: BulkWork<Named> = {
      groupOf: ({ payload }) => payload.name.slice(0, 1),
      async send(items) {
        requests.push(namesOf(items));
        return {};
      },
      observe: async (items) => all(items),
    };
    await runBulk({ ...settings, maxItems: 2, journal, run, work });
    expect(requests).toEqual([['a1', 'a2'], ['a3'], ['b1', 'b2']]);
  });

  it('record why the service rejected a change of an accepted request', async () => {
    const { journal, run } = runOf(['a', 'b']);
    const why = { code: 'EXT-1', message: 'the number is in use' };
    const work: BulkWork<Named> = {
      send: async () => ({ requestId: 'r-2', rejected: new Map([[1, why]]) }),
      observe: async (items) => all(items.slice(0, 1)),
    };
    await runBulk({ ...settings, maxItems: 2, journal, run, work });
    expect(journal.items(run)).toMatchObject([
      { status: 'ok', requestId: 'r-2' },
      { ...why, status: 'failed', requestId: 'r-2' },
    ]);
  });

  it('are recorded with the error if a change is in effect in spite of it', async () => {
    const { journal, run } = runOf(['a']);
    const work: BulkWork<Named> = {
      send: () => Promise.reject(rejected()),
      observe: async (items) => all(items),
    };
    await runBulk({ ...settings, journal, run, work });
    expect(journal.items(run)).toMatchObject([{ status: 'ok', code: 'CMN-102', requestId: 'r-1' }]);
  });
});
