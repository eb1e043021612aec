import type { UnifiedPresence } from '../../contract/presence.ts';
import { stringifyJson } from '../../platform/json.ts';
import { eachItem } from '../request/batch-reply.ts';
import { idsOf } from '../request/batch-request.ts';
import { extensionOf, type Call, type Handler } from '../request/call.ts';
import { invalidParameter } from '../request/errors.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { PresenceRow } from './store.ts';
import { checkChangeable, checkVisible, savePresence } from './update.ts';
import { hasPresence, presenceStatus } from './view.ts';
import type { World } from '../world/world.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/** The telephony availability of each `dndStatus`. TakeDepartmentCallsOnly has no published equivalent. */
const availabilityOf: Readonly<Record<string, string>> = lookupTable({
  TakeAllCalls: 'TakeAllCalls',
  DoNotAcceptAnyCalls: 'DoNotAcceptAnyCalls',
  DoNotAcceptDepartmentCalls: 'DoNotAcceptQueueCalls',
});

/** Serves GET .../unified-presence. A request with several IDs returns 207 with a JSON array (PRESENCE-24). */
export const readUnifiedPresence: Handler<'readUnifiedPresence'> = (call) => {
  const ids = idsOf('extensionId', call.params['extensionId'] ?? '');
  if (ids.length === 1) return { json: presenceOf(call) };
  const own = String(call.caller.extension.id);
  const items = [...new Set(ids.map((id) => (id === '~' ? own : id)))].map((id) => ({ id }));
  const outcomes = eachItem(items, ({ id }) =>
    presenceOf({ ...call, params: { ...call.params, extensionId: id } }),
  );
  const text = stringifyJson(outcomes.map(({ id, status, body }) => ({ resourceId: id, status, body })));
  return { status: 207, headers: { 'content-type': 'application/json' }, text };
};

function presenceOf(call: Pick<Call, 'world' | 'caller' | 'params'>): UnifiedPresence {
  const extension = extensionOf(call);
  checkVisible(call, extension);
  return toUnified(call.world, extension);
}

/** Serves PATCH .../unified-presence: changes the members in the request. */
export const updateUnifiedPresence: Handler<'updateUnifiedPresence'> = (call) => {
  const { world, body } = call;
  const extension = extensionOf(call);
  checkChangeable(call, extension);
  const { chat = {}, telephony = {} } = body;
  const dndStatus =
    telephony.availability === 'DoNotAcceptQueueCalls' ? queueMode(world, extension) : telephony.availability;
  const { visibility: chatVisibility, availability: chatAvailability } = chat;
  savePresence(
    world,
    extension,
    { ...(dndStatus && { dndStatus }) },
    { ...(chatVisibility && { chatVisibility }), ...(chatAvailability && { chatAvailability }) },
  );
  return { json: toUnified(world, extension) };
};

/**
 * Returns the mode of a user who accepts no queue calls. The mode needs a queue, and accounts with new call handling do
 * not have it (PRESENCE-18).
 * @throws {ServiceError} CMN-101
 */
function queueMode(world: World, extension: ExtensionRow) {
  const name = 'telephony.availability';
  if (!world.departments.isAgent(extension.id))
    throw invalidParameter(name, 'the extension is not a member of any call queue');
  if (world.settings.newCallHandling) throw invalidParameter(name, 'the account has new call handling');
  return 'DoNotAcceptDepartmentCalls' as const;
}

function toUnified(world: World, extension: ExtensionRow): UnifiedPresence {
  if (!hasPresence(extension)) return { status: 'Offline' };
  const row = world.presences.of(extension.id);
  const availability = availabilityOf[row.dndStatus];
  return {
    status: statusOf(row),
    chat: {
      status: row.userStatus === 'Offline' ? 'Offline' : 'Online',
      visibility: row.chatVisibility,
      availability: row.chatAvailability,
    },
    telephony: {
      status: row.telephonyStatus,
      visibility: row.allowSeeMyPresence === 1 ? 'Visible' : 'Invisible',
      ...(availability !== undefined && { availability }),
    },
    meeting: { status: row.meetingStatus === 'Connected' ? 'InMeeting' : 'NoMeeting' },
  };
}

function statusOf(row: PresenceRow): string {
  if (row.userStatus === 'Offline' || row.chatVisibility === 'Invisible') return 'Offline';
  if (row.chatAvailability === 'DND' || row.dndStatus === 'DoNotAcceptAnyCalls') return 'DND';
  return presenceStatus(row);
}
