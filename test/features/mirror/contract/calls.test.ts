import { describe, expect, it } from 'vitest';
import type { CallLogRecord } from '../../../../src/contract/call-log.ts';
import type { CallStream } from '../../../../src/store/call-store.ts';
import { postgresMissing } from '../../../support/postgres.ts';
import { engines, listOf, newArchive } from './archives.ts';

const start = Date.UTC(2026, 0, 5, 9);

function call(id: number, more: Partial<CallLogRecord> = {}): CallLogRecord {
  const uri = `https://service.example/restapi/v1.0/account/1/call-log/c${id}`;
  return {
    uri,
    id: `c${id}`,
    sessionId: String(id),
    startTime: new Date(start + id * 1000).toISOString(),
    duration: 10,
    type: 'Voice',
    direction: 'Inbound',
    action: 'Phone Call',
    result: 'Accepted',
    from: { phoneNumber: '+15555550100' },
    to: { phoneNumber: '+16505550112' },
    lastModifiedTime: new Date(start).toISOString(),
    ...more,
  };
}

const stream: CallStream = {
  owner: '/account/1',
  dateFrom: start,
  completeTo: start + 1_000_000,
  pending: undefined,
  syncedAt: undefined,
};

describe.each(engines)('a call store on %s', (engine) => {
  describe.skipIf(engine === 'postgres' ? postgresMissing() : undefined)('with its contract', () => {
    it('reports each copied scope with its number of calls and the time of its last sync', async () => {
      const { calls } = await newArchive(engine);
      expect(await calls.status(start)).toEqual([]);
      await calls.prepare();
      const syncedAt = new Date(start).toISOString();
      await calls.apply('account', [call(1), call(2)], { ...stream, syncedAt }, () => false);
      await calls.apply('~', [call(1)], { ...stream, dateFrom: Date.UTC(2000) }, () => false);
      expect(await calls.status(start + 5000)).toEqual([
        { scope: 'account', calls: 2, dateFrom: syncedAt, syncTime: syncedAt, lagSeconds: 5 },
        { scope: '~', calls: 1, dateFrom: null, syncTime: null, lagSeconds: null },
      ]);
    });

    it('adds calls once, changes them to newer versions, and ignores older ones', async () => {
      const { calls } = await newArchive(engine);
      await calls.prepare();
      const apply = (records: readonly CallLogRecord[]) =>
        calls.apply('account', records, stream, () => false);
      const at = (seconds: number) => ({ lastModifiedTime: new Date(start + seconds * 1000).toISOString() });
      const many = Array.from({ length: 450 }, (_, id) => call(id));
      expect(await apply(many)).toEqual({ received: 450, added: 450, changed: 0, unchanged: 0, erased: 0 });
      expect(await apply(many.slice(0, 3))).toMatchObject({ added: 0, changed: 0, unchanged: 3 });
      const versions = [
        call(0, { result: 'Missed', ...at(10) }),
        call(1, { result: 'Missed', ...at(-10) }),
        call(2, { result: 'Voicemail', ...at(0) }),
      ];
      expect(await apply(versions)).toMatchObject({ added: 0, changed: 2, unchanged: 1 });
      // A page may have a call twice, because calls arrive while it is read.
      const twice = [
        call(600, { result: 'Accepted', ...at(20) }),
        call(600, { result: 'Missed', ...at(10) }),
        call(601, { result: 'Missed', ...at(10) }),
        call(601, { result: 'Accepted', ...at(10) }),
      ];
      expect(await apply(twice)).toMatchObject({ received: 4, added: 2 });
      const filter = { scope: 'account', from: start, to: start + 1_000_000 };
      const stored = new Map((await listOf(calls.calls(filter))).map(({ id, result }) => [id, result]));
      expect(stored.size).toBe(452);
      expect(['c0', 'c1', 'c2', 'c600', 'c601'].map((id) => stored.get(id))).toEqual([
        'Missed',
        'Accepted',
        'Voicemail',
        'Accepted',
        'Accepted',
      ]);
      expect(await calls.stream('account')).toMatchObject({
        owner: '/account/1',
        completeTo: start + 1_000_000,
      });
    });

    it('stores a newer record without a time, and finds calls by their time in another zone', async () => {
      const { calls } = await newArchive(engine);
      await calls.prepare();
      const apply = (record: CallLogRecord) => calls.apply('account', [record], stream, () => false);
      await apply(call(1));
      const { lastModifiedTime: _time, ...timeless } = call(1, { result: 'Missed' });
      expect(await apply(timeless)).toMatchObject({ changed: 1 });
      await apply(call(2, { startTime: '2026-01-05T10:00:02+01:00' }));
      const filter = { scope: 'account', from: start, to: start + 2000 };
      const found = await listOf(calls.calls(filter));
      expect(found.map(({ id, result }) => [id, result])).toEqual([
        ['c2', 'Accepted'],
        ['c1', 'Missed'],
      ]);
    });

    it('names the unfinished calls of a scope in a period', async () => {
      const { calls } = await newArchive(engine);
      await calls.prepare();
      const active = [1, 2, 4, 5].map((id) => call(id, { result: 'In Progress' }));
      await calls.apply('account', [...active, call(3)], stream, () => false);
      await calls.apply('~', [call(3, { result: 'In Progress' })], stream, () => false);
      expect(await calls.unfinished('account', start + 2000, start + 5000)).toEqual(['c2', 'c4']);
    });

    it('replaces or deletes the token of a scope with its position', async () => {
      const { calls } = await newArchive(engine);
      await calls.prepare();
      const save = (scope: string, syncToken?: string) =>
        calls.apply(scope, [], { ...stream, syncToken }, () => false);
      await save('account', 'token-1');
      await save('~', 'token-2');
      expect(await calls.stream('account')).toMatchObject({ syncToken: 'token-1' });
      await save('account');
      expect((await calls.stream('account'))?.syncToken).toBeUndefined();
      expect(await calls.stream('~')).toMatchObject({ syncToken: 'token-2' });
    });

    it('records extensions, of which one occurs twice', async () => {
      const { calls } = await newArchive(engine);
      await calls.prepare();
      // The list may move by one while its pages are read.
      const extension = { id: '7', extensionNumber: '107', type: 'User' };
      await calls.saveExtensions([
        { ...extension, name: 'First' },
        { ...extension, id: '6', extensionNumber: undefined, name: 'Other' },
        { ...extension, name: 'Second' },
      ]);
      const rows = await calls.extensions();
      expect(rows.toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual([
        { ...extension, id: '6', extensionNumber: undefined, name: 'Other' },
        { ...extension, name: 'Second' },
      ]);
    });

    it('keeps texts with every character, and skips calls of erased numbers', async () => {
      const { calls, messages } = await newArchive(engine);
      await calls.prepare();
      const name = 'A\tB\\N\n"quoted" \u00fc\u{1F600}';
      const records = [
        call(1, { from: { phoneNumber: '+15555550101', name } }),
        call(2, { from: { phoneNumber: '+15555550102' } }),
      ];
      const isErased = (numbers: readonly string[]): boolean => numbers.includes('+15555550102');
      expect(await calls.apply('account', records, stream, isErased)).toMatchObject({ added: 1, erased: 1 });
      const filter = { scope: 'account', from: start, to: start + 1_000_000 };
      expect((await listOf(calls.calls(filter)))[0]).toEqual(records[0]);
      expect(await calls.callsOf('+15555550101')).toBe(1);
      await messages.erase('+15555550101', start);
      expect(await listOf(calls.calls(filter))).toEqual([]);
    });
  });
});
