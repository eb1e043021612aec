import { syncOverlapSeconds } from '../../contract/limits.ts';
import type { SyncQuery as AnySyncQuery } from '../../contract/message-store.ts';
import { stringifyJson } from '../../platform/json.ts';
import { readableExtension } from '../request/access.ts';
import { ownersIn, type MessageOwners } from './owner-condition.ts';
import { ofTypes, ownersOf, requestedOwners } from './owners.ts';
import type { Handler, Reply } from '../request/call.ts';
import { readDate } from '../request/dates.ts';
import { contentStart } from '../request/opaque-token.ts';
import { invalidParameter } from '../request/errors.ts';
import { toMessage } from './view.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { SyncScope } from './sync-store.ts';
import type { MessageRow } from './store.ts';
import { readSyncToken, writeSyncToken } from './sync-token.ts';
import { extensionUri } from '../request/uris.ts';
import type { World } from '../world/world.ts';

/** A query whose type of sync is known. */
type SyncQuery = AnySyncQuery & { readonly syncType: NonNullable<AnySyncQuery['syncType']> };

/** Serves GET .../message-sync: a scope of the mailbox, or its changes since a token (docs/spec/message-sync.md). */
export const syncMessages: Handler<'syncMessages'> = (call) => {
  const { world } = call;
  const mailbox = readableExtension(call);
  const query = typedQuery(call.query, world.dialectName);
  const range = { from: readDate('dateFrom', query.dateFrom), to: readDate('dateTo', query.dateTo) };
  if (query.syncType === 'ISync') return incremental(world, mailbox, query, range);
  const { from, to } = range;
  const end = to ?? world.clock.now();
  const scope = limitScope(world, mailbox, query, {
    ...kindOf(query),
    ...requestedOwners(world, mailbox, query),
    from: from ?? end - world.settings.syncDefaultSeconds * 1000,
    // Without dateTo the scope has no end and includes later messages.
    to,
  });
  return reply(world, mailbox, query, scope, world.messageSync.full(mailbox.id, scope));
};

/** Returns the query with its type of sync, which is FSync by default in dialect `current` (SYNC-1). */
function typedQuery(query: AnySyncQuery, dialect: World['dialectName']): SyncQuery {
  if (query.syncType === undefined && dialect === 'spec') throw invalidParameter('syncType');
  return { ...query, syncType: query.syncType ?? 'FSync' };
}

/** The dates of a request, in milliseconds since 1970. */
interface DateRange {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

function incremental(world: World, mailbox: ExtensionRow, query: SyncQuery, range: DateRange): Reply {
  if (query.syncToken === undefined) throw invalidParameter('syncToken');
  const state = readSyncToken(query.syncToken, {
    extensionId: mailbox.id,
    now: world.clock.now(),
    oldest: world.clock.now() - world.settings.syncTokenSeconds * 1000,
    lastChange: world.messages.lastChange(),
    contentStart: contentStart(world),
  });
  const scope = nextScope(world, mailbox, query, state.frame, range);
  const until = world.messages.lastChange();
  const rows = world.messageSync.changed(mailbox.id, scope, {
    changeSequence: state.changeSequence,
    scope: state.frame,
    until,
  });
  return reply(world, mailbox, query, scope, rows);
}

/** Returns the scope of the token; values in the request take precedence. */
function nextScope(
  world: World,
  mailbox: ExtensionRow,
  query: SyncQuery,
  scope: SyncScope,
  { from, to }: DateRange,
): SyncScope {
  const named = kindOf(query);
  const next: SyncScope = {
    ...ofTypes(world, mailbox, nextOwners(world, mailbox, query, scope), query.ownerExtensionType),
    types: named.types ?? scope.types,
    directions: named.directions ?? scope.directions,
    conversationId: named.conversationId ?? scope.conversationId,
    distinctConversations: named.distinctConversations ?? scope.distinctConversations,
    from: from ?? scope.from,
    fromId: from === undefined ? scope.fromId : undefined,
    to: to ?? scope.to,
  };
  if (query.recordCount === undefined) return next;
  // The recordCount of the previous sync may have moved `from` forward. This change does not limit the
  // current sync.
  const earliest = from ?? (to ?? world.clock.now()) - world.settings.syncDefaultSeconds * 1000;
  return limitScope(world, mailbox, query, {
    ...next,
    from: Math.min(next.from, earliest),
    fromId: undefined,
  });
}

function nextOwners(
  world: World,
  mailbox: ExtensionRow,
  { owner, voicemailOwner }: SyncQuery,
  scope: SyncScope,
): MessageOwners {
  return {
    owners: ownersOf(world, mailbox, owner) ?? readableOwners(world, mailbox, scope.owners),
    voicemailOwners:
      ownersOf(world, mailbox, voicemailOwner) ?? readableOwners(world, mailbox, scope.voicemailOwners),
  };
}

/** Returns the owners of a token without the queues that the user has left, whose messages the user may no longer read. */
function readableOwners(
  { departments }: World,
  { id }: ExtensionRow,
  owners: SyncScope['owners'],
): SyncScope['owners'] {
  const queues = departments.of(id);
  return owners?.filter((owner) => owner === id || queues.includes(owner));
}

function kindOf(query: SyncQuery): Omit<SyncScope, 'from'> {
  return {
    types: query.messageType && [
      ...new Set(query.messageType.map((type) => (type === 'Text' ? 'SMS' : type))),
    ],
    directions: query.direction,
    conversationId: query.conversationId,
    distinctConversations: query.distinctConversations,
  };
}

/**
 * If the request has a recordCount, the scope is limited to the newest records. A setting adds more records than
 * requested, which SYNC-6 allows.
 */
function limitScope(world: World, mailbox: ExtensionRow, query: SyncQuery, scope: SyncScope): SyncScope {
  if (query.recordCount === undefined) return scope;
  return world.messageSync.newest(mailbox.id, scope, query.recordCount + world.settings.syncExtraRecords);
}

/** Yields the text of the reply record by record, because a mailbox may be larger than memory. */
function reply(
  world: World,
  mailbox: ExtensionRow,
  query: SyncQuery,
  scope: SyncScope,
  rows: Iterable<MessageRow>,
): Reply {
  const now = world.clock.now();
  const syncToken = writeSyncToken(
    {
      extensionId: mailbox.id,
      time: now,
      changeSequence: world.messageSync.lastChangeBefore(
        ownersIn(mailbox.id, scope),
        now - syncOverlapSeconds * 1000,
      ),
      frame: scope,
      contentStart: contentStart(world),
    },
    query.syncToken,
  );
  const syncInfo = {
    syncType: query.syncType,
    syncToken,
    syncTime: world.clock.iso(now),
    olderRecordsExist: world.messageSync.hasOlder(mailbox.id, scope),
  };
  const uri = addressOf(world, mailbox, query, scope);
  return { jsonPieces: pieces(world, uri, syncInfo, rows) };
}

/** Number of records in each piece of the reply text. */
const recordsPerPiece = 100;

function* pieces(world: World, uri: string, syncInfo: object, rows: Iterable<MessageRow>): Generator<string> {
  let text = `{"uri":${JSON.stringify(uri)},"records":[`;
  let count = 0;
  for (const row of rows) {
    text += (count === 0 ? '' : ',') + stringifyJson(toRecord(world, row));
    count += 1;
    if (count % recordsPerPiece > 0) continue;
    yield text;
    text = '';
  }
  yield `${text}],"syncInfo":${JSON.stringify(syncInfo)}}`;
}

/**
 * Converts a message to a record of the reply. Records of deleted and purged messages contain only ID and availability.
 */
function toRecord(world: World, row: MessageRow) {
  if (row.availability === 'Alive') return toMessage(world, row);
  return { id: row.id, availability: row.availability };
}

function addressOf(world: World, mailbox: ExtensionRow, query: SyncQuery, scope: SyncScope): string {
  const shown = new URLSearchParams({ syncType: query.syncType });
  for (const type of scope.types ?? []) shown.append('messageType', type);
  for (const direction of scope.directions ?? []) shown.append('direction', direction);
  if (scope.conversationId !== undefined) shown.set('conversationId', scope.conversationId);
  for (const name of ['owner', 'voicemailOwner', 'ownerExtensionType'] as const) {
    for (const value of query[name] ?? []) shown.append(name, value);
  }
  if (scope.distinctConversations) shown.set('distinctConversations', 'true');
  shown.set('dateFrom', world.clock.iso(scope.from));
  if (scope.to !== undefined) shown.set('dateTo', world.clock.iso(scope.to));
  if (query.recordCount !== undefined) shown.set('recordCount', String(query.recordCount));
  if (query.syncToken !== undefined) shown.set('syncToken', query.syncToken);
  return `${extensionUri(world, mailbox)}/message-sync?${shown.toString()}`;
}
