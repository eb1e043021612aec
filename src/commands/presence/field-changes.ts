import type { PresenceUpdate } from '../../contract/presence.ts';
import type { FieldChanges } from './change.rows.ts';

/** `from` is null where it is not known. */
export function changesOf(update: PresenceUpdate, before: PresenceUpdate): FieldChanges {
  const old = before as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(update).map(([field, to]) => [field, { from: old[field] ?? null, to }]),
  );
}
