import type { Permission } from '../../contract/enums.ts';
import { isAdministrator } from '../request/access.ts';
import type { Caller } from '../request/call.ts';
import { appPermissionMissing, ServiceError, userNotAllowed } from '../request/errors.ts';
import { accountPath, extensionPath } from '../request/uris.ts';
import type { World } from '../world/world.ts';
import { filterKinds, type FilterKind } from './filter-kinds.ts';

/** A parsed event filter, with `~` resolved. */
export interface EventFilter {
  /** The text of the filter in subscriptions and events. */
  readonly text: string;
  /** The topic under which changes are published. */
  readonly topic: string;
  readonly sensitive: boolean;
}

const filterPath =
  /^\/restapi\/v1\.0\/account\/(~|\d+)(?:\/(extension|call-queues)\/(~|\d+))?((?:\/[a-z-]+)*)$/;

/**
 * Parses one filter (EVENT-4). @throws {ServiceError} SUB-508 for an unknown filter, SUB-402 to 408 for data of other
 * users, SUB-516 for reminders out of bounds, CMN-401 for a missing permission of the app.
 */
export function readFilter(world: World, caller: Caller, text: string, lifetimeSeconds: number): EventFilter {
  const [path = '', queryText = ''] = text.split('?', 2);
  const query = new URLSearchParams(queryText);
  if (world.dialectName === 'current' && path.startsWith(`${world.dialect.chatPath}/`))
    throw invalid(text, 'SUB-508', 'The sandbox has no team messaging events');
  if (path === '/restapi/v1.0/subscription/~') return readReminder(world, text, query, lifetimeSeconds);
  const [, accountId, collection, id, resource = ''] = filterPath.exec(path) ?? [];
  const owners = { extension: 'extension', 'call-queues': 'queue' } as const;
  const owner = collection === undefined ? 'account' : owners[collection as keyof typeof owners];
  const kind = filterKinds.find((one) => one.owner === owner && one.resource === resource);
  const own = caller.extension.accountId;
  if (!kind || !(accountId === '~' || accountId === String(own)) || !hasOnly(query, kind.query)) {
    throw invalid(text);
  }
  const subject = owner === 'account' ? own : extensionOf(world, caller, id, owner, text);
  requirePermission(caller, kind.permission);
  checkAccess(world, caller, kind, subject, path);
  const base = {
    account: accountPath(own),
    extension: extensionPath({ accountId: own, id: subject }),
    queue: `${accountPath(own)}/call-queues/${subject}`,
  }[owner];
  return {
    text: base + kind.resource + (queryText && `?${queryText}`),
    topic: `${kind.topic}:${subject}`,
    sensitive: kind.sensitive,
  };
}

/** Returns the ID of the extension or queue that a filter names. */
function extensionOf(
  world: World,
  caller: Caller,
  id: string | undefined,
  owner: 'extension' | 'queue',
  text: string,
): number {
  if (id === '~' && owner === 'extension') return caller.extension.id;
  const extension = world.extensions.byId(Number(id));
  const fits = owner === 'extension' || extension?.type === 'Department';
  if (extension?.accountId !== caller.extension.accountId || !fits) throw invalid(text);
  return extension.id;
}

function checkAccess(world: World, caller: Caller, kind: FilterKind, subject: number, path: string): void {
  if (kind.access === 'directory' || subject === caller.extension.id || isAdministrator(caller.extension))
    return;
  if (kind.access === 'presence' && world.presences.of(subject).allowSeeMyPresence === 1) return;
  throw userNotAllowed(kind.foreign, `Subscribing to [${path}] of another extension is not allowed`);
}

function requirePermission(caller: Caller, permission: Permission): void {
  if (!caller.app.granted.has(permission)) throw appPermissionMissing(permission);
}

function hasOnly(query: URLSearchParams, allowed: FilterKind['query']): boolean {
  return [...query].every(([name, value]) => allowed[name]?.includes(value));
}

/** Bounds of reminders (EVENT-13 to EVENT-15). */
function readReminder(
  world: World,
  text: string,
  query: URLSearchParams,
  lifetimeSeconds: number,
): EventFilter {
  const [threshold, interval] = [secondsOf(query.get('threshold')), secondsOf(query.get('interval'))];
  const least = world.settings.reminderJobSeconds;
  const good =
    threshold >= least && threshold <= lifetimeSeconds / 2 && interval >= least && interval <= threshold / 2;
  if (!good) throw invalid(text, 'SUB-516', 'Reminder parameters are out of bounds');
  return { text, topic: 'reminder', sensitive: false };
}

/** Returns a whole number of seconds in decimal digits; NaN for any other text. */
function secondsOf(text: string | null): number {
  return text !== null && /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

function invalid(text: string, code = 'SUB-508', reason = 'Event filter is invalid'): ServiceError {
  return new ServiceError(400, code, `${reason}: [${text}]`, { parameterName: 'eventFilters' });
}
