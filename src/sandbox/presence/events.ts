import { isAdministrator } from '../request/access.ts';
import { activeCallItems } from '../calls/active-call-items.ts';
import { presenceFields } from './view.ts';
import type { LegRow } from '../calls/store.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { PresenceRow } from './store.ts';
import type { WatchRow } from '../subscriptions/store.ts';
import type { World } from '../world/world.ts';
import { enqueue } from '../subscriptions/enqueue.ts';

/**
 * Publishes the current presence. A subscription with a simple and a detailed filter gets only the detailed event.
 * @param ended legs that this change ended, which are included one last time.
 */
export function presenceChanged(world: World, extension: ExtensionRow, ended: readonly LegRow[] = []): void {
  const onLine = lineWatchers(world, extension);
  const watchers = [
    ...onePerSubscription(world.subscriptions.watchers(`presence:${extension.id}`)),
    ...world.subscriptions.watchers(`accountPresence:${extension.accountId}`),
    ...onLine.presence,
  ].filter((watcher) => maySee(world, watcher, extension));
  const { sequence } = world.presences.of(extension.id);
  for (const watcher of onLine.line.filter((one) => maySee(world, one, extension))) {
    enqueue(world, watcher, { extension: [{ id: String(extension.id) }], sequence });
  }
  if (watchers.length === 0) return;
  const { message: _unsent, ...fields } = { message: '', ...presenceFields(world, extension) };
  const simple = { extensionId: String(extension.id), ...fields, sequence };
  for (const watcher of watchers) {
    enqueue(world, watcher, { ...simple, ...callsFor(world, extension, watcher, ended) });
  }
}

/** Returns the calls, if the filter includes them. */
function callsFor(world: World, { id }: ExtensionRow, { filter }: WatchRow, ended: readonly LegRow[]) {
  if (!isDetailed(filter)) return {};
  const sipData = queryOf(filter).get('sipData') === 'true';
  return {
    activeCalls: activeCallItems(world, id, sipData, ended),
    totalActiveCalls: world.calls.live(id).length,
  };
}

/** Publishes a changed queue-agent mode to subscriptions of the agent and of the agent's queues. */
export function queueModeChanged(world: World, extension: ExtensionRow, before: PresenceRow): void {
  const { dndStatus } = world.presences.of(extension.id);
  if (dndStatus === before.dndStatus) return;
  const extensionId = String(extension.id);
  for (const watcher of world.subscriptions.watchers(`dnd:${extension.id}`)) {
    if (maySee(world, watcher, extension)) enqueue(world, watcher, { extensionId, dndStatus });
  }
  const accepts = acceptsQueueCalls(dndStatus);
  if (accepts === acceptsQueueCalls(before.dndStatus)) return;
  for (const queue of world.departments.of(extension.id)) {
    // A member who is absent from a queue accepts none of its calls, in any mode.
    if (world.queueSettings.absent(queue).has(extension.id)) continue;
    for (const watcher of world.subscriptions.watchers(`queuePresence:${queue}`)) {
      enqueue(world, watcher, { member: { id: extensionId }, acceptCurrentQueueCalls: accepts });
    }
  }
}

function acceptsQueueCalls(dndStatus: string): boolean {
  return dndStatus === 'TakeAllCalls' || dndStatus === 'TakeDepartmentCallsOnly';
}

/** Returns each subscription once, with its detailed filter if it has one. */
function onePerSubscription(watchers: readonly WatchRow[]): readonly WatchRow[] {
  const chosen = new Map<string, WatchRow>();
  for (const watcher of watchers) {
    if (!chosen.has(watcher.subscriptionId) || isDetailed(watcher.filter))
      chosen.set(watcher.subscriptionId, watcher);
  }
  return [...chosen.values()];
}

/** Returns the extensions that monitor this extension: the extension itself, and the agents of its queues. */
function lineWatchers(
  world: World,
  extension: ExtensionRow,
): { readonly line: readonly WatchRow[]; readonly presence: readonly WatchRow[] } {
  const { subscriptions, departments } = world;
  const watched = {
    line: subscriptions.watchesKind('line'),
    presence: subscriptions.watchesKind('linePresence'),
  };
  if (!watched.line && !watched.presence) return { line: [], presence: [] };
  const queues = departments.of(extension.id);
  const agents = queues.flatMap((queue) => departments.members(queue).rows.map(({ id }) => id));
  const ids = [...new Set([extension.id, ...agents])];
  const others = ids.filter((id) => id !== extension.id);
  return {
    line: ids.flatMap((id) => subscriptions.watchers(`line:${id}`)),
    presence: onePerSubscription(others.flatMap((id) => subscriptions.watchers(`linePresence:${id}`))),
  };
}

/** If a presence is hidden after a subscription was created, only its owner and administrators still get events. */
function maySee(world: World, { subscriptionId }: WatchRow, extension: ExtensionRow): boolean {
  if (world.presences.of(extension.id).allowSeeMyPresence === 1) return true;
  const watcher = world.extensions.byId(world.subscriptions.byId(subscriptionId)?.extensionId ?? 0);
  return watcher !== undefined && (watcher.id === extension.id || isAdministrator(watcher));
}

function isDetailed(filter: string): boolean {
  return queryOf(filter).get('detailedTelephonyState') === 'true';
}

function queryOf(filter: string): URLSearchParams {
  return new URLSearchParams(filter.split('?', 2)[1] ?? '');
}
