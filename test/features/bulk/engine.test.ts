import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError } from '../../../src/errors/service.ts';
import { Journal, runBulk, type BulkWork, type JournalItem } from '../../../src/features/bulk/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';

interface Wish {
  readonly name: string;
}

const refused = (name: string, parameterName?: string) =>
  new ApiError({
    status: 400,
    errorCode: 'CMN-102',
    message: `no ${name}`,
    parameterName,
    requestId: 'r-1',
    request: { method: 'POST', path: '/x' },
  });

/** A service that takes names, all of a request or none, and refuses some. */
function service(options: { readonly bad?: readonly string[]; readonly blames?: boolean } = {}) {
  const taken: string[] = [];
  const requests: (readonly string[])[] = [];
  const namesOf = (items: readonly JournalItem<Wish>[]) => items.map(({ payload }) => payload.name);
  const work: BulkWork<Wish> = {
    send(items) {
      requests.push(namesOf(items));
      const bad = namesOf(items).find((name) => options.bad?.includes(name));
      if (bad !== undefined) return Promise.reject(refused(bad));
      taken.push(...namesOf(items));
      return Promise.resolve({ requestId: `q-${requests.length}` });
    },
    observe: (items) =>
      Promise.resolve(
        new Set(items.filter(({ payload }) => taken.includes(payload.name)).map(({ seq }) => seq)),
      ),
    ...(options.blames && {
      blame: (error: unknown, items: readonly JournalItem<Wish>[]) =>
        items.filter(({ payload }) => (error as Error).message === `no ${payload.name}`),
    }),
  };
  return { taken, requests, work };
}

function journalOf(names: readonly string[]) {
  const folder = temporaryFolder();
  const journal = Journal.open(folder, () => 1000);
  const run = journal.create<Wish>({
    kind: 'test',
    title: 'a test',
    baseUrl: 'https://x.example',
    now: Date.UTC(2026, 0, 5, 9),
    detail: { any: 'thing' },
    items: names.map((name) => ({ action: 'take', subject: name, payload: { name } })),
  });
  const statuses = () =>
    Object.fromEntries(journal.items<Wish>(run).map(({ subject, status }) => [subject, status]));
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
  it('goes out in the fewest requests, each in the journal before it is sent', async () => {
    const { journal, run, statuses } = journalOf(many);
    const { work, requests } = service();
    const seen: string[] = [];
    const watched: BulkWork<Wish> = {
      ...work,
      send(items) {
        seen.push(...items.map(({ seq }) => journal.items(run)[seq]?.status ?? 'none'));
        return work.send(items);
      },
    };
    const told: number[] = [];
    const onProgress = ({ done }: { readonly done: number }) => void told.push(done);
    const settings = { ...limits, maxItems: 40, journal, run, signal: never, onProgress };
    const end = await runBulk({ ...settings, work: watched });
    expect(told).toEqual([0, 40, 80, 100]);
    expect(end).toEqual({ stopped: undefined, error: undefined });
    expect(requests.map((names) => names.length)).toEqual([40, 40, 20]);
    expect(new Set(seen)).toEqual(new Set(['sent']));
    expect(new Set(Object.values(statuses()))).toEqual(new Set(['ok']));
    expect(journal.items(run)[0]).toMatchObject({ requestId: 'q-1', attempts: 1, time: 1000 });
  });

  it('parts the guilty from the others by halves, in few requests', async () => {
    const { journal, run, statuses } = journalOf(many);
    const { work, requests, taken } = service({ bad: ['n42'] });
    await runBulk({ ...limits, journal, run, work, signal: never });
    expect(statuses()['n42']).toBe('failed');
    expect(taken.toSorted()).toEqual(many.filter((name) => name !== 'n42').toSorted());
    expect(requests.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(many.length)) + 1);
    expect(journal.items(run)[42]).toMatchObject({ code: 'CMN-102', message: 'no n42', requestId: 'r-1' });
  });

  it('needs three requests where the service names the guilty', async () => {
    const { journal, run, statuses } = journalOf(many);
    const { work, requests } = service({ bad: ['n42'], blames: true });
    await runBulk({ ...limits, journal, run, work, signal: never });
    expect(requests.map((names) => names.length)).toEqual([100, 99, 1]);
    expect(statuses()['n42']).toBe('failed');
  });

  it('believes what it reads back: a lost answer is no failure, an accepted change that is not so is one', async () => {
    const { journal, run, statuses } = journalOf(['a', 'b', 'c']);
    const { work, taken, requests } = service();
    const lossy: BulkWork<Wish> = {
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
    const lies: BulkWork<Wish> = { ...work, send: () => Promise.resolve({}) };
    await runBulk({ ...limits, journal: second.journal, run: second.run, work: lies, signal: never });
    expect(second.journal.items(second.run)[0]).toMatchObject({ status: 'failed', code: 'not_applied' });
  });

  it.each([0, 2])(
    'sends what was read back as not done %i times again, waiting before it, as it was told',
    async (retries) => {
      const { journal, run, statuses } = journalOf(['a']);
      const { work } = service();
      const waits: number[] = [];
      let sent = 0;
      const down: BulkWork<Wish> = {
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
      await runBulk({ ...settings, work: { ...down, isRepeatedByClient: true } });
      expect(sent).toBe(1);
    },
  );

  it('leaves what waits to be sent again when it is interrupted', async () => {
    const { journal, run, statuses } = journalOf(['a']);
    const { work } = service();
    const stop = new AbortController();
    const down: BulkWork<Wish> = {
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

  it('reads back what a killed process had sent, and sends only the rest', async () => {
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

  it('stops where the next request would fare no better, and keeps what is left planned', async () => {
    const { journal, run, statuses } = journalOf(['a', 'b']);
    const { work } = service();
    const down: BulkWork<Wish> = {
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

  it('goes on after a refusal that is about one alone, also where it may not be read either', async () => {
    const { journal, run, statuses } = journalOf(['a', 'b', 'c']);
    const { work } = service();
    const picky: BulkWork<Wish> = {
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

  it('stops when five in a row are refused alike, and goes on behind them when resumed', async () => {
    const { journal, run, statuses } = journalOf(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    const { work } = service();
    let codes = ['1', '1', '1', '2', '2', '2', '2'];
    const picky: BulkWork<Wish> = {
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

  it('never repeats what cannot be read back', async () => {
    const { journal, run, statuses } = journalOf(['a', 'b', 'c']);
    const { work, requests } = service();
    journal.markSent(run, [0]);
    const blind: BulkWork<Wish> = {
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
  it('belongs to its user alone', () => {
    const { folder } = journalOf(['a']);
    expect(statSync(join(folder, 'runs.db')).mode & 0o777).toBe(0o600);
  });

  it('finds a run by id, by its beginning and as the last', () => {
    const { journal, run } = journalOf(['a']);
    expect([run, 'last', run.slice(0, 10)].map((word) => journal.find(word)?.id)).toEqual([run, run, run]);
    expect(journal.find('nothing')).toBeUndefined();
    expect(journal.detail(run)).toEqual({ any: 'thing' });
    expect(journal.list()[0]?.counts).toEqual({ planned: 1, sent: 0, ok: 0, failed: 0, unknown: 0 });
  });

  it('gives each run an id of its own, also of hundreds in one second', () => {
    const { journal } = journalOf(['a']);
    const run = { kind: 'queue.assign', title: '', baseUrl: '', now: 0, detail: {}, items: [] };
    const ids = Array.from({ length: 1000 }, () => journal.create(run));
    expect(new Set(ids).size).toBe(1000);
  });
});
