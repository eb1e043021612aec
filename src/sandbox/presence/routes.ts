import type { PresenceUpdate } from '../../contract/presence.ts';
import { batchReply, eachItem } from '../request/batch-reply.ts';
import { idsOf } from '../request/batch-request.ts';
import { accountOf, extensionOf, type Call, type Handler, type Routes } from '../request/call.ts';
import { activeCallItems } from '../calls/active-call-items.ts';
import { modeParts } from './queue-mode.ts';
import { readUnifiedPresence, updateUnifiedPresence } from './unified.ts';
import { checkChangeable, checkVisible, isSelfOrAdministrator, savePresence } from './update.ts';
import { hasPresence, presenceFields } from './view.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import { listReply, pageOf } from '../request/paging.ts';
import { accountPath, extensionUri } from '../request/uris.ts';
import type { World } from '../world/world.ts';

/**
 * Serves GET .../presence. Users can read their own presence and the visible presence of other users; administrators
 * can read every presence. A request with several IDs returns 207.
 */
const readPresence: Handler<'readPresence'> = (call) => {
  const [only = '', ...others] = idsOf('extensionId', call.params['extensionId'] ?? '');
  if (others.length === 0) return { json: presenceOf(call) };
  const { world, caller } = call;
  const { id: accountId } = accountOf(call);
  const own = String(caller.extension.id);
  const ids = new Set([only, ...others].map((id) => (id === '~' ? own : id)));
  const items = [...ids].map((id) => ({ id }));
  const presenceUri = (id: string): string =>
    `${extensionUri(world, { accountId, id: Number(id) })}/presence`;
  const outcomes = eachItem(items, ({ id }) =>
    presenceOf({ ...call, params: { ...call.params, extensionId: id } }),
  );
  return batchReply(call, presenceUri, outcomes);
};

function presenceOf(call: Pick<Call<'readPresence'>, 'world' | 'caller' | 'params' | 'query'>) {
  const { world, query } = call;
  const extension = extensionOf(call);
  checkVisible(call, extension);
  const detailed = query.detailedTelephonyState === true && hasPresence(extension);
  const activeCalls = detailed
    ? { activeCalls: activeCallItems(world, extension.id, query.sipData === true) }
    : {};
  return { ...toPresence(world, extension), ...activeCalls };
}

/** Serves PUT .../presence: changes the members in the request. */
const updatePresence: Handler<'updatePresence'> = (call) => {
  const { world } = call;
  const body = world.dialectName === 'current' ? call.body : withoutCurrentMembers(call.body);
  const extension = extensionOf(call);
  checkChangeable(call, extension);
  savePresence(world, extension, body);
  return { json: toPresence(world, extension) };
};

/** The members that only dialect `current` has are unknown in dialect `spec` (PRESENCE-21). */
function withoutCurrentMembers({
  dndStatusPersonal: _personal,
  acceptCallQueueCalls: _accepts,
  callerIdVisibility: _visibility,
  ...update
}: PresenceUpdate): PresenceUpdate {
  return update;
}

function toPresence(world: World, extension: ExtensionRow) {
  const uri = extensionUri(world, extension);
  return {
    uri: `${uri}/presence`,
    extension: {
      uri,
      id: extension.id,
      ...(extension.extensionNumber !== null && { extensionNumber: extension.extensionNumber }),
    },
    ...presenceFields(world, extension),
    ...(world.dialectName === 'current' && hasPresence(extension) && currentFields(world, extension)),
  };
}

/** Returns the members that only dialect `current` has (PRESENCE-21). */
function currentFields(world: World, { id }: ExtensionRow) {
  const { dndStatus, callerIdVisibility } = world.presences.of(id);
  return { ...modeParts(dndStatus), callerIdVisibility };
}

/** Serves GET account/{accountId}/presence: the visible presences of users. */
const listPresences: Handler<'listPresences'> = (call) => {
  const { world, query } = call;
  const account = accountOf(call);
  const page = pageOf(query);
  const types = ['User', 'VirtualUser', 'DigitalUser', 'Limited'];
  const all = world.extensions.list(account.id, { type: types }, { limit: -1, offset: 0 });
  const visible = all.rows.filter(
    (row) => isSelfOrAdministrator(call, row) || world.presences.of(row.id).allowSeeMyPresence === 1,
  );
  const { limit, offset } = page.window;
  const slice = { rows: visible.slice(offset, offset + limit), total: visible.length };
  const { detailedTelephonyState, sipData } = query;
  const detailed = detailedTelephonyState === true;
  const filters = { detailedTelephonyState, sipData };
  const path = `${accountPath(account.id)}/presence`;
  const json = listReply({ world, path, filters, page }, slice, (row) => ({
    ...toPresence(world, row),
    ...(detailed && { activeCalls: activeCallItems(world, row.id, sipData === true) }),
  }));
  return { json };
};

/** Presence of extensions. */
export const presenceRoutes = {
  readPresence,
  updatePresence,
  listPresences,
  readUnifiedPresence,
  updateUnifiedPresence,
} satisfies Routes;
