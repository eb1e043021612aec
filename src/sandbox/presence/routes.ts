import type { PresenceUpdate } from '../../contract/presence.ts';
import { isAdministrator } from '../request/access.ts';
import { batchReply, eachItem } from '../request/batch-reply.ts';
import { idsOf } from '../request/batch-request.ts';
import { accountOf, extensionOf, type Call, type Handler, type Routes } from '../request/call.ts';
import { invalidParameter, userNotAllowed } from '../request/errors.ts';
import { activeCallItems } from '../calls/active-call-items.ts';
import { presenceChanged, queueModeChanged } from './events.ts';
import { changedMode, modeParts } from './queue-mode.ts';
import { hasPresence, presenceFields } from './view.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { PresenceRow } from './store.ts';
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
  const isAllowed =
    isSelfOrAdministrator(call, extension) || world.presences.of(extension.id).allowSeeMyPresence === 1;
  if (!isAllowed) {
    throw userNotAllowed('CMN-408', 'The presence of this extension is hidden from other users');
  }
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
  if (!isSelfOrAdministrator(call, extension)) {
    throw userNotAllowed('CMN-404', 'Only an administrator can change the presence of another extension');
  }
  if (!hasPresence(extension))
    throw userNotAllowed('CMN-403', `An extension of type ${extension.type} has no presence`);
  const before = world.presences.of(extension.id);
  const after = change(before, body, world.departments.isAgent(extension.id));
  checkMode(world, extension, body, after.dndStatus);
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    world.presences.save({ ...after, sequence: before.sequence + 1 });
    presenceChanged(world, extension);
    queueModeChanged(world, extension, before);
  }
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

/** The members of a request that change the mode. */
const modeMembers = ['dndStatus', 'acceptCallQueueCalls', 'dndStatusPersonal'] as const;

/**
 * Modes for calls of queues need a queue (PRESENCE-18). On accounts with new call handling, `dndStatus` does not have
 * these modes.
 * @throws {ServiceError} CMN-101
 */
function checkMode(world: World, extension: ExtensionRow, update: PresenceUpdate, mode: string): void {
  if (mode !== 'DoNotAcceptDepartmentCalls' && mode !== 'TakeDepartmentCallsOnly') return;
  const name = modeMembers.find((member) => update[member] !== undefined);
  if (name === undefined) return;
  if (!world.departments.isAgent(extension.id))
    throw invalidParameter(name, 'the extension is not a member of any call queue');
  if (update.dndStatus === mode && world.settings.newCallHandling)
    throw invalidParameter('dndStatus', 'the account has new call handling');
}

function isSelfOrAdministrator(call: Pick<Call, 'caller'>, extension: ExtensionRow): boolean {
  return extension.id === call.caller.extension.id || isAdministrator(call.caller.extension);
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

function change(row: PresenceRow, update: PresenceUpdate, isAgent: boolean): PresenceRow {
  const flag = (value: boolean | undefined, old: number) => (value === undefined ? old : Number(value));
  return {
    ...row,
    userStatus: update.userStatus ?? row.userStatus,
    dndStatus: changedMode(row.dndStatus, update, isAgent),
    callerIdVisibility: update.callerIdVisibility ?? row.callerIdVisibility,
    message: update.message ?? row.message,
    allowSeeMyPresence: flag(update.allowSeeMyPresence, row.allowSeeMyPresence),
    ringOnMonitoredCall: flag(update.ringOnMonitoredCall, row.ringOnMonitoredCall),
    pickUpCallsOnHold: flag(update.pickUpCallsOnHold, row.pickUpCallsOnHold),
  };
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
export const presenceRoutes = { readPresence, updatePresence, listPresences } satisfies Routes;
