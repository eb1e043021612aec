import { activeCallItems } from '../calls/active-call-items.ts';
import { presenceFields } from '../presence.ts';
import type { LegRow } from '../store/calls.ts';
import type { ExtensionRow } from '../store/extensions.ts';
import type { WatchRow } from '../store/subscriptions.ts';
import type { World } from '../world.ts';
import { enqueue } from './emit.ts';

/**
 * Announces a presence as it is now, to those who watch the person, the line or the account (facts 1.3).
 * @param ended legs that this change ended: told once more, as final.
 */
export function presenceChanged(world: World, extension: ExtensionRow, ended: readonly LegRow[] = []): void {
  const watchers = [
    ...world.subscriptions.watchers(`presence:${extension.id}`),
    ...world.subscriptions.watchers(`presences:${extension.accountId}`),
    ...world.lines.watchers('linePresence', extension.id),
  ];
  for (const watcher of onePerSubscription(watchers)) {
    enqueue(world, watcher, presenceBody(world, extension, watcher.filter, ended));
  }
  for (const watcher of world.lines.watchers('line', extension.id)) {
    enqueue(world, watcher, lineBody(world, extension));
  }
}

/** Announces a changed queue-agent mode. */
export function dndChanged(world: World, extension: ExtensionRow): void {
  const { dndStatus } = world.presences.of(extension.id);
  for (const watcher of world.subscriptions.watchers(`dnd:${extension.id}`)) {
    enqueue(world, watcher, { extensionId: String(extension.id), dndStatus });
  }
}

/** A subscription with a simple and a detailed filter gets the detailed event alone. */
function onePerSubscription(watchers: readonly WatchRow[]): Iterable<WatchRow> {
  const chosen = new Map<string, WatchRow>();
  for (const watcher of watchers) {
    if (!chosen.has(watcher.subscriptionId) || isDetailed(watcher.filter)) {
      chosen.set(watcher.subscriptionId, watcher);
    }
  }
  return chosen.values();
}

function presenceBody(world: World, extension: ExtensionRow, filter: string, ended: readonly LegRow[]) {
  const { message: _unsent, ...fields } = { message: '', ...presenceFields(world, extension) };
  const simple = {
    extensionId: String(extension.id),
    ...fields,
    sequence: world.presences.of(extension.id).sequence,
  };
  if (!isDetailed(filter)) return simple;
  const sipData = queryOf(filter).get('sipData') === 'true';
  return {
    ...simple,
    activeCalls: activeCallItems(world, extension.id, sipData, ended),
    totalActiveCalls: world.calls.live(extension.id).length,
  };
}

function lineBody(world: World, extension: ExtensionRow) {
  return {
    extension: [{ id: String(extension.id) }],
    sequence: world.presences.of(extension.id).sequence,
  };
}

function isDetailed(filter: string): boolean {
  return queryOf(filter).get('detailedTelephonyState') === 'true';
}

function queryOf(filter: string): URLSearchParams {
  return new URLSearchParams(filter.split('?', 2)[1] ?? '');
}
