import type { PresencePayload } from '../../features/presence/index.ts';
import type { PresenceUpdate } from '../../contract/presence.ts';
import type { FieldChanges } from './change.rows.ts';

/** Returns the changes of an update; `from` is null if the old value is unknown. */
export function changesOf(update: PresenceUpdate, before: PresenceUpdate): FieldChanges {
  const old = before as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(update).map(([field, to]) => [field, { from: old[field] ?? null, to }]),
  );
}

/** Returns the changes of a run's item: fields, and whether calls of queues are accepted. */
export function changesOfPayload({
  update,
  before,
  queues = [],
}: Pick<PresencePayload, 'update' | 'before' | 'queues'>): FieldChanges {
  const [first] = queues;
  const switched = first && {
    queueCalls: first.accepts ? { from: 'off', to: 'on' } : { from: 'on', to: 'off' },
  };
  return { ...changesOf(update, before), ...switched };
}
