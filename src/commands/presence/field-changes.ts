import type { PresenceUpdate } from '../../contract/presence.ts';

/** What each field of an update was and is to be. */
export type FieldChanges = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/** `from` is null where it is not known. */
export function changesOf(update: PresenceUpdate, before: PresenceUpdate): FieldChanges {
  const old = before as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(update).map(([field, to]) => [field, { from: old[field] ?? null, to }]),
  );
}

/** `dndStatus TakeAllCalls -> DoNotAcceptAnyCalls` */
export function textOfChanges(changes: FieldChanges): string {
  return Object.entries(changes)
    .map(([field, { from, to }]) => `${field} ${textOf(from)} -> ${textOf(to)}`)
    .join(', ');
}

function textOf(value: unknown): string {
  if (value === '' || value === null || value === undefined) return '(none)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
