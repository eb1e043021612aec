import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiError, ConnectionError } from '../../../src/errors/service.ts';
import {
  findRun,
  Journal,
  runBulk,
  type BulkWork,
  type JournalItem,
} from '../../../src/features/bulk/index.ts';
import { SentSecrets } from '../../../src/platform/sent-secrets.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { type Named, openNamedRun } from './named-run.ts';

const rejected = (name: string, parameterName?: string) =>
  new ApiError({
    status: 400,
    errorCode: 'CMN-102',
    message: `no ${name}`,
    parameterName,
    requestId: 'r-1',
    request: { method: 'POST', path: '/x' },
  });

/** A service that accepts names, all of a request or none, and rejects some. */
function service(options: { readonly bad?: readonly string[]; readonly namesOffender?: boolean } = {}) {
  const taken: string[] = [];
  const requests: (readonly string[])[] = [];
  const namesOf = (items: readonly JournalItem<Named>[]) => items.map(({ payload }) => payload.name);
  const work: BulkWork<Named> = {
    send(items) {
      requests.push(namesOf(items));
      const bad = namesOf(items).find((name) => options.bad?.includes(name));
      if (bad !== undefined) return Promise.reject(rejected(bad));
      taken.push(...namesOf(items));
      return Promise.resolve({ requestId: `q-${requests.length}` });
    },
    observe: (items) =>
      Promise.resolve(
        new Set(items.filter(({ payload }) => taken.includes(payload.name)).map(({ seq }) => seq)),
      ),
    ...(options.namesOffender && {
      findOffenders: (error: unknown, items: readonly JournalItem<Named>[]) =>
        items.filter(({ payload }) => (error as Error).message === `no ${payload.name}`),
    }),
  };
  return { taken, requests, work };
}

function journalOf(names: readonly string[]) {
  const folder = temporaryFolder();
  const { journal, run } = openNamedRun(folder, names, { any: 'thing' });
  const statuses = () =>
    Object.fromEntries(journal.items<Named>(run).map(({ subject, status }) => [subject, status]));
  return { folder, journal, run, statuses };
}

const limits = {
  maxItems: 1000,
  concurrency: 1,
  maxErrors: Number.POSITIVE_INFINITY,
  retries: 2,
  sleep: () => Promise.resolve(),
};
const never = new AbortController().signal;
const many = Array.from({ length: 100 }, (_, index) => `n${index}`);

describe('a bulk run', () => {
  it('sends the fewest requests, each recorded in the journal before it is sent', async () => {
    const { journal, run, statuses } = journalOf(many);
    const { work, requests } = service();
    const seen: string[] = [];
    const watched: BulkWork<Named> = {
      ...work,
      send(items) {
        seen.push(...items.map(({ seq }) => journal.items(run)[seq]?.status ?? 'none'));
        return work.send(items);
      },
    };
    const reported: number[] = [];
    const onProgress = ({ done }: { readonly done: number }) => void reported.push(done);
    const settings = { ...limits, maxItems: 40, journal, run, signal: never, onProgress };
    const end = await runBulk({ ...settings, work: watched });
    expect(reported).toEqual([0, 40, 80, 100]);
    expect(end).toEqual({ stopped: undefined, error: undefined });
    expect(requests.map((names) => names.length)).toEqual([40, 40, 20]);
    expect(new Set(seen)).toEqual(new Set(['sent']));
    expect(new Set(Object.values(statuses()))).toEqual(new Set(['ok']));
    expect(journal.items(run)[0]).toMatchObject({ requestId: 'q-1', attempts: 1, time: 1000 });
  });

  it('isolates the rejected item by bisection, in few requests', async () => {
    const { journal, run, statuses } = journalOf(many);
    const { work, requests, taken } = service({ bad: ['n42'] });
    await runBulk({ ...limits, journal, run, work, signal: never });
    expect(statuses()['n42']).toBe('failed');
    expect(taken.toSorted()).toEqual(many.filter((name) => name !== 'n42').toSorted());
    expect(requests.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(many.length)) + 1);
    expect(journal.items(run)[42]).toMatchObject({ code: 'CMN-102', message: 'no n42', requestId: 'r-1' });
  });

  it('needs three requests if the service names the rejected item', async () => {
    const { journal, run, statuses } = journalOf(many);
    const { work, requests } = service({ bad: ['n42'], namesOffender: true });
    await runBulk({ ...limits, journal, run, work, signal: never });
    expect(requests.map((names) => names.length)).toEqual([100, 99, 1]);
    expect(statuses()['n42']).toBe('failed');
  });

  it('trusts the state read back: a lost reply is not a failure, an accepted change without effect is', async () => {
    const { journal, run, statuses } = journalOf(['a', 'b', 'c']);
    const { work, taken, requests } = service();
    const lossy: BulkWork<Named> = {
      ...work,
      async send(items) {
        if (requests.length > 0) return work.send(items);
        await work.send(items.slice(0, 2));
        throw new ConnectionError('ECONNRESET', 'unknown', 'https://x.example', undefined);
      },
    };
    await runBulk({ ...limits, journal, run, work: lossy, signal: never });
    expect(requests).toEqual([['a', 'b'], ['c']]);
    expect([taken, statuses()]).toEqual([['a', 'b', 'c'], { a: 'ok', b: 'ok', c: 'ok' }]);

    const second = journalOf(['d']);
    const lies: BulkWork<Named> = { ...work, send: () => Promise.resolve({}) };
    await runBulk({ ...limits, journal: second.journal, run: second.run, work: lies, signal: never });
    expect(second.journal.items(second.run)[0]).toMatchObject({ status: 'failed', code: 'not_applied' });
  });

  it.each([0, 2])(
    'resends what was read back as not done %i times, and waits before each',
    async (retries) => {
      const { journal, run, statuses } = journalOf(['a']);
      const { work } = service();
      const waits: number[] = [];
      let sent = 0;
      const down: BulkWork<Named> = {
        ...work,
        send: () => {
          sent += 1;
          return Promise.reject(new ConnectionError('ECONNRESET', 'unknown', 'https://x.example', undefined));
        },
      };
      const sleep = (milliseconds: number) => Promise.resolve(void waits.push(milliseconds));
      const settings = { ...limits, journal, run, signal: never, retries, sleep };
      await runBulk({ ...settings, work: down });
      expect([sent, waits, statuses()]).toEqual([
        retries + 1,
        retries === 0 ? [] : [250, 500],
        { a: 'unknown' },
      ]);
      sent = 0;
      await runBulk({ ...settings, work: { ...down, isRetriedByClient: true } });
      expect(sent).toBe(1);
    },
  );

  it.each(['the reason of the interruption', 'an aborted wait'])(
    'is interrupted while a change waits for the rate limit: %s',
    async (kind) => {
      const { journal, run, statuses } = journalOf(['a', 'b']);
      const stop = new AbortController();
      const waiting: BulkWork<Named> = {
        ...service().work,
        send: () => {
          stop.abort();
          const isReason = kind === 'the reason of the interruption';
          return Promise.reject(
            isReason
              ? (stop.signal.reason as Error)
              : new DOMException('The operation was aborted', 'AbortError'),
          );
        },
      };
      const end = await runBulk({ ...limits, maxItems: 1, journal, run, work: waiting, signal: stop.signal });
      expect(end).toEqual({ stopped: 'interrupted', error: undefined });
      expect(statuses()).toEqual({ a: 'planned', b: 'planned' });
      expect(journal.items(run).map(({ message }) => message)).toEqual([undefined, undefined]);
    },
  );

  it('leaves items unsent that wait for a retry when it is interrupted', async () => {
    const { journal, run, statuses } = journalOf(['a']);
    const { work } = service();
    const stop = new AbortController();
    const down: BulkWork<Named> = {
      ...work,
      send: () =>
        Promise.reject(new ConnectionError('ECONNRESET', 'unknown', 'https://x.example', undefined)),
    };
    const sleep = () => {
      stop.abort();
      return Promise.reject(new Error('aborted'));
    };
    const end = await runBulk({ ...limits, journal, run, work: down, signal: stop.signal, sleep });
    expect([end.stopped, statuses()]).toEqual(['interrupted', { a: 'planned' }]);
  });

  it('reads back what a killed process sent, and sends only the rest', async () => {
    const { journal, run, statuses } = journalOf(['a', 'b', 'c']);
    const { work, taken, requests } = service();
    journal.markSent(run, [0, 1]);
    taken.push('a');
    await runBulk({ ...limits, journal, run, work, signal: never });
    expect(requests).toEqual([['b', 'c']]);
    expect(statuses()).toEqual({ a: 'ok', b: 'ok', c: 'ok' });
    await runBulk({ ...limits, journal, run, work, signal: never });
    expect(requests).toHaveLength(1);
  });

  it('stops if the next request would fail as well, and keeps the remaining items planned', async () => {
    const { journal, run, statuses } = journalOf(['a', 'b']);
    const { work } = service();
    const down: BulkWork<Named> = {
      ...work,
      send: () => Promise.reject(new ConnectionError('ECONNREFUSED', 'no', 'https://x.example', undefined)),
    };
    const end = await runBulk({ ...limits, maxItems: 1, journal, run, work: down, signal: never });
    expect(end.stopped).toBe('service');
    expect(statuses()).toEqual({ a: 'planned', b: 'planned' });
  });

  const forbidden = (code: string) =>
    new ApiError({
      status: 403,
      errorCode: code,
      message: 'you may not',
      requestId: 'r-9',
      request: { method: 'PUT', path: '/x' },
    });

  it('continues after a rejection that concerns one item, also if it cannot be read either', async () => {
    const { journal, run, statuses } = journalOf(['a', 'b', 'c']);
    const { work } = service();
    const picky: BulkWork<Named> = {
      send: (items) =>
        items[0]?.payload.name === 'b' ? Promise.reject(forbidden('CMN-408')) : work.send(items),
      observe: async (items) => {
        if (items[0]?.payload.name === 'b') throw forbidden('CMN-408');
        return (await work.observe?.(items)) ?? new Set();
      },
    };
    const end = await runBulk({ ...limits, maxItems: 1, journal, run, work: picky, signal: never });
    expect([end.stopped, statuses()]).toEqual([undefined, { a: 'ok', b: 'failed', c: 'ok' }]);
  });

  it('stops after five equal rejections in a row, and continues after them when resumed', async () => {
    const { journal, run, statuses } = journalOf(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    const { work } = service();
    let codes = ['1', '1', '1', '2', '2', '2', '2'];
    const picky: BulkWork<Named> = {
      ...work,
      send: (items) => {
        const code = codes.shift();
        return code === undefined ? work.send(items) : Promise.reject(forbidden(code));
      },
    };
    const go = () => runBulk({ ...limits, maxItems: 1, journal, run, work: picky, signal: never });
    expect((await go()).stopped).toBeUndefined();
    const second = journalOf(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    codes = ['1', '1', '1', '1', '1'];
    const stopped = await runBulk({
      ...limits,
      maxItems: 1,
      journal: second.journal,
      run: second.run,
      work: picky,
      signal: never,
    });
    expect(stopped.stopped).toBe('service');
    expect(Object.values(second.statuses())).toEqual([
      ...Array<string>(5).fill('failed'),
      'planned',
      'planned',
    ]);
    await runBulk({
      ...limits,
      maxItems: 1,
      journal: second.journal,
      run: second.run,
      work: picky,
      signal: never,
    });
    expect(Object.values(second.statuses()).slice(5)).toEqual(['ok', 'ok']);
    expect(Object.values(statuses())).toEqual(Array<string>(7).fill('failed'));
  });

  it('stops after too many failures, and at once when interrupted', async () => {
    const { journal, run, statuses } = journalOf(['a', 'b', 'c']);
    const { work } = service({ bad: ['a', 'b'] });
    const end = await runBulk({ ...limits, maxItems: 1, maxErrors: 0, journal, run, work, signal: never });
    expect([end.stopped, statuses()]).toEqual(['max-errors', { a: 'failed', b: 'planned', c: 'planned' }]);
    const stopped = await runBulk({ ...limits, journal, run, work, signal: AbortSignal.abort() });
    expect(stopped.stopped).toBe('interrupted');
  });

  it('never resends what cannot be read back', async () => {
    const { journal, run, statuses } = journalOf(['a', 'b', 'c']);
    const { work, requests } = service();
    journal.markSent(run, [0]);
    const blind: BulkWork<Named> = {
      async send(items) {
        await work.send(items);
        if (items[0]?.payload.name === 'b') {
          throw new ConnectionError('ECONNRESET', 'unknown', 'https://x.example', undefined);
        }
        return {};
      },
    };
    await runBulk({ ...limits, journal, run, work: blind, signal: never });
    await runBulk({ ...limits, journal, run, work: blind, signal: never });
    expect(requests).toEqual([['b'], ['c']]);
    expect(statuses()).toEqual({ a: 'unknown', b: 'unknown', c: 'ok' });
  });
});

describe('the journal', () => {
  it('can only be read by its user', () => {
    const { folder } = journalOf(['a']);
    expect(statSync(join(folder, 'runs.db')).mode & 0o777).toBe(0o600);
  });

  it('lists the runs of an ambiguous id prefix', () => {
    const { journal, run } = journalOf(['a']);
    const second = journal.create<Named>({
      kind: 'test',
      title: 'another test',
      baseUrl: 'https://x.example',
      now: Date.UTC(2026, 0, 5, 9),
      detail: {},
      items: [],
    });
    // The id of a run begins with its time.
    const prefix = run.slice(0, 10);
    const message = `run "${prefix}" is ambiguous: the IDs of 2 runs start with it`;
    expect(() => findRun(journal, prefix)).toThrow(
      expect.objectContaining({ message, exit: 2, details: expect.arrayContaining([run, second]) }) as Error,
    );
  });

  it('finds a run by id, by a prefix of it and as the last', () => {
    const { journal, run } = journalOf(['a']);
    expect([run, 'last', run.slice(0, 10)].map((word) => findRun(journal, word).id)).toEqual([run, run, run]);
    expect(() => findRun(journal, 'nothing')).toThrow(/^run "nothing" not found$/);
    const none = Journal.open(temporaryFolder(), Date.now, new SentSecrets());
    onTestFinished(() => none.close());
    expect(() => findRun(none, 'last')).toThrow(/^run "last" not found: this machine has no runs$/);
    expect(journal.detail(run)).toEqual({ any: 'thing' });
    expect(journal.list()[0]?.counts).toEqual({ planned: 1, sent: 0, ok: 0, failed: 0, unknown: 0 });
  });

  it('gives each run a unique id, also of hundreds in one second', () => {
    const { journal } = journalOf(['a']);
    const run = { kind: 'queue.assign', title: '', baseUrl: '', now: 0, detail: {}, items: [] };
    const ids = Array.from({ length: 1000 }, () => journal.create(run));
    expect(new Set(ids).size).toBe(1000);
  });
});
