import type { PresenceUpdate } from '../../contract/presence.ts';
import type { FieldChanges } from './change.rows.ts';

/** The changes of an update; `from` is null if the old value is unknown. */
export function changesOf(update: PresenceUpdate, before: PresenceUpdate): FieldChanges {
  const old = before as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(update).map(([field, to]) => [field, { from: old[field] ?? null, to }]),
  );
}
