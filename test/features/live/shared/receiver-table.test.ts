import { describe, expect, it } from 'vitest';
import {
  countRunning,
  requestRecoveryAfterLoss,
} from '../../../../src/features/live/shared/process-table.ts';
import { OwnerTurns } from '../../../../src/features/live/shared/owner-turns.ts';
import {
  isTrimDue,
  joinReceiver,
  receiverStates,
  takeTurn,
} from '../../../../src/features/live/shared/receiver-table.ts';
import { clockStore, postgresMissing } from '../../../support/postgres.ts';

const start = Date.UTC(2026, 0, 5, 9);
const process = (name: string) => ({ process: name, machine: 'm', pid: 1, version: '0.1.0' });

const definition = {
  name: 'main',
  origin: 'https://service.example',
  path: undefined,
  token: undefined,
  addressOf: (path: string) => path,
  eventFilters: ['/x'],
  streams: false,
  fresh: { path: '/hook', token: undefined },
};

describe.skipIf(postgresMissing())('the lease of a receiver', () => {
  it('does not last for hours after the clock of the store was set back', async () => {
    const { db, setClock } = await clockStore(start);
    await db.run("insert into receiver (name, path) values ('main', '/hook')");
    const take = async (name: string): Promise<number | undefined> =>
      (await takeTurn(db, 'main', process(name), true)).fence;
    expect(await take('lost')).toBe(1);
    expect(await take('next')).toBeUndefined();
    await setClock(start - 4000);
    expect(await take('next')).toBeUndefined();
    await setClock(start - 3_600_000);
    expect(await take('next')).toBe(2);
    expect(await take('lost')).toBeUndefined();
  });

  it('leaves no process that was killed before the clock of the store was set back', async () => {
    const { db, setClock } = await clockStore(start);
    await db.run("insert into receiver (name, path) values ('main', '/hook')");
    await takeTurn(db, 'main', process('killed'), true);
    await setClock(start - 3_600_000);
    expect(await countRunning(db, 'main')).toBe(0);
    const { fence = 0, hasLost } = await takeTurn(db, 'main', process('next'), true);
    expect([fence, hasLost]).toEqual([2, true]);
    expect(await requestRecoveryAfterLoss(db, 'main', fence)).toBe(3);
    expect(await takeTurn(db, 'main', process('next'), true)).toMatchObject({
      recovers: true,
      hasLost: false,
    });
    expect(await countRunning(db, 'main')).toBe(1);
  });

  it('lets a recovery end before it requests another one for killed processes', async () => {
    const { db, setClock } = await clockStore(start);
    await db.run("insert into receiver (name, path, recovers) values ('main', '/hook', true)");
    await takeTurn(db, 'main', process('killed'), false);
    await setClock(start + 11_000);
    const turns = new OwnerTurns({ db, receiver: 'main', self: process('next'), hasOwner: true });
    expect(await turns.take(true)).toMatchObject({ fence: 1, recovers: true });
    await db.run('update receiver set recovers = false');
    expect(await turns.take(false)).toMatchObject({ fence: 1, recovers: false });
    expect(await turns.take(true)).toMatchObject({ fence: 2, recovers: true });
    await db.run('update receiver set recovers = false');
    expect(await turns.take(true)).toMatchObject({ fence: 2, recovers: false });
  });

  it('requests one recovery if all processes were killed', async () => {
    const { db, setClock } = await clockStore(start);
    await db.run("insert into receiver (name, path) values ('main', '/hook')");
    await takeTurn(db, 'main', process('killed'), false);
    await setClock(start + 11_000);
    await joinReceiver(db, definition, process('next'));
    expect(await takeTurn(db, 'main', process('next'), true)).toMatchObject({
      recovers: true,
      hasLost: false,
    });
  });
});

describe.skipIf(postgresMissing())('the events of a receiver', () => {
  it('are not counted while they go to a stream', async () => {
    const { db } = await clockStore(start);
    const join = async (streams: boolean): Promise<unknown> => {
      await joinReceiver(db, { ...definition, streams }, process('one'));
      return (await receiverStates(db))[0]?.events;
    };
    expect(await join(true)).toBeNull();
    expect(await isTrimDue(db, 'main')).toBe(false);
    expect(await join(false)).toBe(0);
    expect(await isTrimDue(db, 'main')).toBe(true);
  });

  it('are counted and deleted later if the receiver had another sink before', async () => {
    const { db } = await clockStore(start);
    await joinReceiver(db, definition, process('one'));
    await db.run(
      `insert into event (receiver, key, lane, origin, encrypted, raw) values ('main', 'k', '1', 'webhook', false, '{}')`,
    );
    await joinReceiver(db, { ...definition, streams: true }, process('one'));
    expect(await receiverStates(db)).toMatchObject([{ events: 1 }]);
    expect(await isTrimDue(db, 'main')).toBe(true);
  });
});
