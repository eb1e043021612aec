import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type { ClaimedEvent } from '../../../store/event-log.ts';
import type { ShownEvent } from '../notification/shown-event.ts';
import { readNotification } from '../notification/notification.ts';
import { recoveredKeys } from '../recover/recovery.ts';
import { isDelivered, type Origin } from '../store/stored-event.ts';

/** Number of events before a recovered message that are searched for its notification. */
const searched = 10_000;
const isBefore = `(tx, id) < (split_part($1, '-', 1)::xid8, split_part($1, '-', 2)::bigint)`;

/**
 * Whether an earlier event of the receiver has the same messages. A notification may arrive after its messages were
 * recovered, or while they are being recovered. The final order of the log decides which event is the repetition, so
 * that consumers get each message once, at any time and in every replay.
 */
export function isRepeated(db: Postgres, claimed: ClaimedEvent, event: ShownEvent): Promise<boolean> {
  const keys = recoveredKeys(event);
  if (keys.length === 0) return Promise.resolve(false);
  if (isDelivered({ origin: claimed.origin as Origin })) return areRecovered(db, claimed, keys);
  return claimed.origin === 'recovered' ? isAnnounced(db, claimed) : Promise.resolve(false);
}

/** Whether all messages of a notification were recovered before it arrived. */
async function areRecovered(
  db: Postgres,
  { position, receiver }: ClaimedEvent,
  keys: readonly string[],
): Promise<boolean> {
  const [row] = await db.query<{ found: number }>(
    `select count(*) as found from event where receiver = $2 and key = any($3) and ${isBefore}`,
    [position, receiver, keys],
  );
  return row?.found === new Set(keys).size;
}

/** Whether the service announced a recovered message before it was stored. The key of the event names the message. */
async function isAnnounced(
  db: Postgres,
  { position, receiver, lane, id, key }: ClaimedEvent,
): Promise<boolean> {
  const messageId = key.slice(key.lastIndexOf(':') + 1);
  // The IDs limit the search; the order of the log differs from the order of the IDs only for events at the same time.
  const rows = await db.query<{ raw: string }>(
    `select raw from event where id between $5::bigint - $6 and $5::bigint + $6 and receiver = $2 and lane = $3
       and origin <> 'recovered' and strpos(raw, $4) > 0 and ${isBefore}`,
    [position, receiver, lane, messageId, id, searched],
  );
  return rows.some(({ raw }) => {
    const notification = readNotification(raw)?.notification;
    return notification !== undefined && recoveredKeys(notification).includes(key);
  });
}
