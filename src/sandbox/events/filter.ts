import type { Permission } from '../../contract/enums.ts';
import { MESSAGE_TYPES } from '../../contract/enums.ts';
import { isAdministrator } from '../access.ts';
import type { Caller } from '../call.ts';
import { appPermissionMissing, ServiceError, userNotAllowed } from '../errors.ts';
import { accountPath, extensionPath } from '../uris.ts';
import type { World } from '../world.ts';

/** What an event filter asks for, with `~` resolved. */
export interface EventFilter {
  /** As it stands in the subscription and in the event. */
  readonly text: string;
  /** Under which changes are announced. */
  readonly topic: string;
}

interface Kind {
  readonly resource: string;
  readonly topic: string;
  readonly permission: Permission;
  /** Code of the refusal for someone else's data. */
  readonly foreign: string;
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** Parameters without which the filter means nothing. */
  readonly required?: readonly string[];
}
const telephony = { detailedTelephonyState: ['true', 'false'], sipData: ['true', 'false'] };
const kinds: readonly Kind[] = [
  {
    resource: '/message-store',
    topic: 'messages',
    permission: 'ReadMessages',
    foreign: 'SUB-403',
    // Voicemail is how events write VoiceMail.
    query: { type: [...MESSAGE_TYPES, 'Voicemail'], direction: ['Inbound', 'Outbound'] },
  },
  {
    resource: '/message-store/instant',
    topic: 'instant',
    permission: 'ReadMessages',
    foreign: 'SUB-403',
    query: { type: ['SMS'] },
    required: ['type'],
  },
  { resource: '/voicemail', topic: 'voicemail', permission: 'ReadMessages', foreign: 'SUB-403', query: {} },
  {
    resource: '/fax',
    topic: 'fax',
    permission: 'ReadMessages',
    foreign: 'SUB-403',
    query: { direction: ['Inbound'] },
    required: ['direction'],
  },
  {
    resource: '/presence',
    topic: 'presence',
    permission: 'ReadPresence',
    foreign: 'SUB-402',
    query: telephony,
  },
  { resource: '/presence/line', topic: 'line', permission: 'ReadPresence', foreign: 'SUB-402', query: {} },
  {
    resource: '/presence/line/presence',
    topic: 'linePresence',
    permission: 'ReadPresence',
    foreign: 'SUB-402',
    query: telephony,
  },
  { resource: '/presence/dnd', topic: 'dnd', permission: 'ReadPresence', foreign: 'SUB-402', query: {} },
];
const extensionFilter = /^\/restapi\/v1\.0\/account\/(~|\d+)\/extension\/(~|\d+)(\/[a-z/-]+)$/;
const accountFilter = /^\/restapi\/v1\.0\/account\/(~|\d+)\/(extension|presence)$/;

/**
 * Reads one filter (specification, Event filters).
 * @throws {ServiceError} SUB-508 unknown, SUB-402/403 someone else's, SUB-516 reminders out of bounds, 403 app permission.
 */
export function readFilter(world: World, caller: Caller, text: string, lifetimeSeconds: number): EventFilter {
  const [path = '', queryText = ''] = text.split('?', 2);
  const query = new URLSearchParams(queryText);
  if (path === '/restapi/v1.0/subscription/~') return readReminder(world, text, query, lifetimeSeconds);
  const account = world.accounts.byId(caller.extension.accountId);
  const ownAccount = (id: string | undefined) => id === '~' || id === String(account?.id);
  const [, wholeAccount, what] = accountFilter.exec(path) ?? [];
  if (wholeAccount !== undefined && ownAccount(wholeAccount) && account) {
    return readAccountFilter(caller, text, what === 'presence', query);
  }
  const [, accountId, extensionId, resource] = extensionFilter.exec(path) ?? [];
  const kind = kinds.find((candidate) => candidate.resource === resource);
  const extension =
    extensionId === '~' ? caller.extension : world.extensions.byId(Number(extensionId ?? Number.NaN));
  if (!kind || !ownAccount(accountId) || extension?.accountId !== account?.id || !extension)
    throw invalid(text);
  if (!hasOnly(query, kind.query) || kind.required?.some((name) => !query.has(name))) throw invalid(text);
  requirePermission(caller, kind.permission);
  const shown =
    kind.permission === 'ReadPresence' && world.presences.of(extension.id).allowSeeMyPresence === 1;
  if (extension.id !== caller.extension.id && !isAdministrator(caller.extension) && !shown) {
    throw userNotAllowed(kind.foreign, `Subscribing to [${path}] of another extension is not allowed`);
  }
  const normalized = extensionPath(extension) + kind.resource + (queryText && `?${queryText}`);
  return { text: normalized, topic: `${kind.topic}:${extension.id}` };
}

/** Changes of any extension of the account; their presence is for administrators. */
function readAccountFilter(
  caller: Caller,
  text: string,
  isPresence: boolean,
  query: URLSearchParams,
): EventFilter {
  const { accountId } = caller.extension;
  if (!hasOnly(query, isPresence ? telephony : {})) throw invalid(text);
  requirePermission(caller, isPresence ? 'ReadPresence' : 'ReadAccounts');
  if (!isPresence) return { text: `${accountPath(accountId)}/extension`, topic: `extension:${accountId}` };
  if (!isAdministrator(caller.extension)) {
    throw userNotAllowed('SUB-402', 'Subscribing to the presence of the account needs an administrator');
  }
  const suffix = query.size > 0 ? `?${query.toString()}` : '';
  return { text: `${accountPath(accountId)}/presence${suffix}`, topic: `presences:${accountId}` };
}

function requirePermission(caller: Caller, permission: Permission): void {
  if (!caller.app.granted.has(permission)) throw appPermissionMissing(permission);
}

function hasOnly(query: URLSearchParams, allowed: Kind['query']): boolean {
  return [...query].every(([name, value]) => allowed[name]?.includes(value));
}

/** Bounds of reminders (specification, Event filters). */
function readReminder(
  world: World,
  text: string,
  query: URLSearchParams,
  lifetimeSeconds: number,
): EventFilter {
  const threshold = Number(query.get('threshold') ?? Number.NaN);
  const interval = Number(query.get('interval') ?? Number.NaN);
  const least = world.settings.reminderJobSeconds;
  const good =
    threshold >= least && threshold <= lifetimeSeconds / 2 && interval >= least && interval <= threshold / 2;
  if (!good) throw invalid(text, 'SUB-516', 'Reminder parameters are out of bounds');
  return { text, topic: 'reminder' };
}

function invalid(text: string, code = 'SUB-508', reason = 'Event filter is invalid'): ServiceError {
  return new ServiceError(400, code, `${reason}: [${text}]`, { parameterName: 'eventFilters' });
}
