import { transaction, type Database } from '../../../platform/sqlite.ts';

/** Events that everyone has processed are kept this long; longer than the service may send one again. */
const keptMilliseconds = 30 * 86_400_000;

/** In one commit: a listener beside this one waits no longer than for these before it acknowledges. */
const atOnce = 1000;

/**
 * Forgets what everyone has processed long ago; never what still waits to be shown or forwarded.
 * @param now milliseconds since 1970
 * @param most how many of the oldest it looks at
 */
export function trim(db: Database, now: number, most: number): void {
  const old = `SELECT id FROM (SELECT id, receiver, receivedAt FROM event ORDER BY id LIMIT ${most}) AS oldest
    WHERE receivedAt < ${now - keptMilliseconds}
      AND id <= coalesce((SELECT min(position) FROM cursor WHERE name LIKE oldest.receiver || ':%'), 0)
      AND id NOT IN (SELECT eventId FROM delivery WHERE state IN ('pending', 'dead'))`;
  const ids = db.prepare(old).all() as unknown as readonly { readonly id: number }[];
  const [forgotten, handedOn] = [
    db.prepare('DELETE FROM event WHERE id = ?'),
    db.prepare('DELETE FROM delivery WHERE eventId = ?'),
  ];
  for (let at = 0; at < ids.length; at += atOnce) {
    transaction(db, () => {
      for (const { id } of ids.slice(at, at + atOnce)) {
        handedOn.run(id);
        forgotten.run(id);
      }
    });
  }
}
