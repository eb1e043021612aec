import { syncOverlapSeconds } from '../../contract/limits.ts';
import type { SyncQuery } from '../../contract/message-store.ts';
import { stringifyJson } from '../../platform/json.ts';
import { readableExtension } from '../request/access.ts';
import type { Handler, Reply } from '../request/call.ts';
import { readDate } from '../request/dates.ts';
import { invalidParameter } from '../request/errors.ts';
import { toMessage } from './view.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { SyncScope } from './sync-store.ts';
import type { MessageRow } from './store.ts';
import { readSyncToken, writeSyncToken, type SyncState } from './sync-token.ts';
import { extensionUri } from '../request/uris.ts';
import type { World } from '../world/world.ts';

/** GET .../message-sync: a scope of the mailbox, or what changed in it since a token (docs/spec/message-sync.md). */
export const syncMessages: Handler<'syncMessages'> = (call) => {
  const { world, query } = call;
  const mailbox = readableExtension(call);
  const from = readDate('dateFrom', query.dateFrom);
  const to = readDate('dateTo', query.dateTo);
  if (query.syncType === 'ISync') return incremental(world, mailbox, query, from, to);
  const end = to ?? world.clock.now();
  const scope = cut(world, mailbox, query, {
    ...kindOf(query),
    from: from ?? end - world.settings.syncDefaultSeconds * 1000,
    // Without dateTo the scope stays open: what comes later belongs to it.
    to,
  });
  return reply(world, mailbox, query, scope, world.messageSync.full(mailbox.id, scope));
};

function incremental(
  world: World,
  mailbox: ExtensionRow,
  query: SyncQuery,
  from: number | undefined,
  to: number | undefined,
): Reply {
  if (query.syncToken === undefined) throw invalidParameter('syncToken');
  const state = readSyncToken(query.syncToken, {
    extensionId: mailbox.id,
    oldest: world.clock.now() - world.settings.syncTokenSeconds * 1000,
    lastChange: world.messages.lastChange(),
  });
  const scope = nextScope(world, mailbox, query, state, from, to);
  const until = world.messages.lastChange();
  const rows = world.messageSync.changed(mailbox.id, scope, {
    changeSequence: state.changeSequence,
    scope: state.frame,
    until,
  });
  return reply(world, mailbox, query, scope, rows);
}

/** What the request does not name stays as in the scope before. */
function nextScope(
  world: World,
  mailbox: ExtensionRow,
  query: SyncQuery,
  { frame: scope }: SyncState,
  from: number | undefined,
  to: number | undefined,
): SyncScope {
  const named = kindOf(query);
  const next: SyncScope = {
    types: named.types ?? scope.types,
    directions: named.directions ?? scope.directions,
    conversationId: named.conversationId ?? scope.conversationId,
    distinctConversations: named.distinctConversations ?? scope.distinctConversations,
    from: from ?? scope.from,
    fromId: from === undefined ? scope.fromId : undefined,
    to: to ?? scope.to,
  };
  if (query.recordCount === undefined) return next;
  // A count is not to be held back by where an earlier count has cut.
  const earliest = from ?? (to ?? world.clock.now()) - world.settings.syncDefaultSeconds * 1000;
  return cut(world, mailbox, query, { ...next, from: Math.min(next.from, earliest), fromId: undefined });
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

/** recordCount selects the newest records; a setting returns more than requested, which SYNC-6 allows. */
function cut(world: World, mailbox: ExtensionRow, query: SyncQuery, scope: SyncScope): SyncScope {
  if (query.recordCount === undefined) return scope;
  return world.messageSync.newest(mailbox.id, scope, query.recordCount + world.settings.syncExtraRecords);
}

/** The text of the reply, record by record: a mailbox may hold more than fits into memory. */
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
      changeSequence: world.messageSync.lastChangeBefore(mailbox.id, now - syncOverlapSeconds * 1000),
      frame: scope,
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

/** Records in one piece of text. */
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

/** Of what was deleted or purged only id and availability are told. */
function toRecord(world: World, row: MessageRow) {
  if (row.availability === 'Alive') return toMessage(world, row);
  return { id: row.id, availability: row.availability };
}

function addressOf(world: World, mailbox: ExtensionRow, query: SyncQuery, scope: SyncScope): string {
  const shown = new URLSearchParams({ syncType: query.syncType });
  for (const type of scope.types ?? []) shown.append('messageType', type);
  for (const direction of scope.directions ?? []) shown.append('direction', direction);
  if (scope.conversationId !== undefined) shown.set('conversationId', scope.conversationId);
  if (scope.distinctConversations) shown.set('distinctConversations', 'true');
  shown.set('dateFrom', world.clock.iso(scope.from));
  if (scope.to !== undefined) shown.set('dateTo', world.clock.iso(scope.to));
  if (query.recordCount !== undefined) shown.set('recordCount', String(query.recordCount));
  if (query.syncToken !== undefined) shown.set('syncToken', query.syncToken);
  return `${extensionUri(world, mailbox)}/message-sync?${shown.toString()}`;
}
