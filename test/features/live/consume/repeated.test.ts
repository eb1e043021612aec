import { describe, expect, it } from 'vitest';
import { isRepeated, PostgresEventLog, shownEvent } from '../../../../src/features/live/index.ts';
import { StoredEvent, type Origin } from '../../../../src/features/live/store/stored-event.ts';
import type { ClaimedEvent } from '../../../../src/store/event-log.ts';
import { eventually } from '../../../support/eventually.ts';
import { postgresMissing, testStore } from '../../../support/postgres.ts';

const filter = '/restapi/v1.0/account/1/extension/101/message-store';

function notification(key: string, ids: readonly string[], origin: Origin, extensionId = '101') {
  const changes = [{ type: 'SMS', newCount: ids.length, newMessageIds: ids }];
  const raw = JSON.stringify({ uuid: key, event: filter, body: { extensionId, changes } });
  return { receiver: 'main', key, origin, encrypted: false, raw };
}

const recovered = (id: string) => notification(`recovered:101:${id}`, [id], 'recovered');

/** Appends the events one after another, and returns for each of them whether a consumer skips it as repeated. */
async function skipped(events: readonly ReturnType<typeof notification>[]) {
  const { db } = await testStore();
  const log = new PostgresEventLog(db);
  for (const event of events) await log.append([event]);
  await eventually(async () => expect(await log.after(undefined, 100)).toHaveLength(events.length));
  const logged = await log.after(undefined, 100);
  return Promise.all(
    logged.map(async (event) => {
      const claimed = { ...event, consumer: 'crm', attempt: 1, fence: 1 } satisfies ClaimedEvent;
      const row = { ...event, origin: event.origin as Origin, encrypted: 0 as const };
      return [event.key, await isRepeated(db, claimed, shownEvent(new StoredEvent(row, undefined)))];
    }),
  );
}

describe.skipIf(postgresMissing())('a message in two events', () => {
  it('is skipped in the recovered event if its notification arrived during the recovery', async () => {
    expect(await skipped([notification('a', ['5', '6'], 'webhook'), recovered('5'), recovered('7')])).toEqual(
      [
        ['a', false],
        ['recovered:101:5', true],
        ['recovered:101:7', false],
      ],
    );
  });

  it('is skipped in a notification that arrives after the recovery of all its messages', async () => {
    expect(await skipped([recovered('5'), notification('a', ['5'], 'channel'), recovered('6')])).toEqual([
      ['recovered:101:5', false],
      ['a', true],
      ['recovered:101:6', false],
    ]);
  });

  it('is skipped in the later event only', async () => {
    expect(await skipped([notification('a', ['5'], 'webhook'), recovered('5')])).toEqual([
      ['a', false],
      ['recovered:101:5', true],
    ]);
  });

  it('is skipped in a notification that names it twice', async () => {
    const events = [recovered('5'), notification('a', ['5', '5'], 'websocket')];
    expect((await skipped(events)).map(([, isSkipped]) => isSkipped)).toEqual([false, true]);
  });

  it('is not skipped in a notification with another message that was not recovered', async () => {
    const events = [recovered('5'), notification('a', ['5', '6'], 'webhook')];
    expect((await skipped(events)).map(([, isSkipped]) => isSkipped)).toEqual([false, false]);
  });

  it('is not skipped if the earlier event belongs to another receiver', async () => {
    const ofOther = (event: ReturnType<typeof notification>) => ({ ...event, receiver: 'other' });
    const events = [
      ofOther(recovered('5')),
      notification('a', ['5'], 'webhook'),
      ofOther(notification('b', ['7'], 'webhook')),
      recovered('7'),
    ];
    expect((await skipped(events)).map(([, isSkipped]) => isSkipped)).toEqual([false, false, false, false]);
  });

  it('is not skipped for an event of another message, extension or kind', async () => {
    const events = [
      notification('a', ['55'], 'webhook'),
      notification('b', ['5'], 'webhook', '102'),
      {
        ...notification('c', [], 'webhook'),
        raw: JSON.stringify({ uuid: 'c', event: filter, body: { extensionId: '101', id: '5' } }),
      },
      recovered('5'),
    ];
    expect((await skipped(events)).map(([, isSkipped]) => isSkipped)).toEqual([false, false, false, false]);
  });
});
