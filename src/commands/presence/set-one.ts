import type { Client } from '../../client/index.ts';
import type { Presence, PresenceUpdate } from '../../contract/presence.ts';
import {
  availabilityChanges,
  hasNewCallHandling,
  newCallHandlingNote,
  sameFields,
  setQueuesConfirmed,
  updateConfirmed,
  updateFor,
  type PresenceRequest,
} from '../../features/presence/index.ts';
import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { changedView, type ChangedPresence } from './change.rows.ts';
import { changesOf, changesOfPayload } from './field-changes.ts';
import type { Person } from './who.ts';

/** Changes one presence without a run. Sends only the fields that differ. */
export async function setOne(
  ctx: Context,
  api: Client,
  { id }: Person,
  request: PresenceRequest,
): Promise<void> {
  const isNew = request.queueCalls !== undefined && (await hasNewCallHandling(ctx, api));
  if (isNew) return setByQueue(ctx, api, id, request);
  const present = await readFor(ctx, api, id, request);
  const update = present ? needed(present, request) : request.fields;
  if (present && Object.keys(update).length === 0) {
    ctx.out.note(unchangedText(present, request));
    return ctx.out.record<ChangedPresence>({ ...present, changes: {} }, changedView);
  }
  const presence = await updateConfirmed(api, id, update, ctx.signal);
  const changes = changesOf(sameFields(presence, update), present ? sameFields(present, update) : {});
  await ctx.out.record<ChangedPresence>({ ...presence, changes }, changedView);
}

/** Changes a presence on an account with new call handling: its fields, and the availability in each queue. */
async function setByQueue(
  ctx: Context,
  api: Client,
  id: Person['id'],
  { fields, queueCalls = 'on' }: PresenceRequest,
): Promise<void> {
  ctx.out.note(newCallHandlingNote);
  const present = await api.presence.get(id, {}, { signal: ctx.signal });
  const { queues, total } = await availabilityChanges(api, id, queueCalls, ctx.signal);
  if (total === 0) {
    throw usageError('this extension does not take queue calls: it is in no queue', 'omit --queue-calls');
  }
  const update = needed(present, { fields });
  if (queues.length > 0) await setQueuesConfirmed(api, id, queues, ctx.signal);
  else ctx.out.note(`No changes: queue calls are already ${queueCalls} in ${counted(total, 'queue')}.`);
  const presence =
    Object.keys(update).length > 0 ? await updateConfirmed(api, id, update, ctx.signal) : present;
  const changes = changesOfPayload({ update, before: sameFields(present, update), queues });
  await ctx.out.record<ChangedPresence>({ ...presence, changes }, changedView);
}

/** Reads the present values. Undefined without permission to read, if the request does not depend on them. */
async function readFor(
  ctx: Context,
  api: Client,
  id: Person['id'],
  { queueCalls }: PresenceRequest,
): Promise<Presence | undefined> {
  try {
    return await api.presence.get(id, {}, { signal: ctx.signal });
  } catch (error) {
    const isForbidden = error instanceof Error && 'status' in error && error.status === 403;
    if (queueCalls === undefined && isForbidden) return undefined;
    throw error;
  }
}

function needed(present: Presence, request: PresenceRequest): PresenceUpdate {
  try {
    return updateFor(present, request);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(error.message, 'set the status directly with --dnd-status');
  }
}

function unchangedText({ dndStatus }: Presence, { fields, queueCalls }: PresenceRequest): string {
  return queueCalls === undefined || Object.keys(fields).length > 0
    ? 'No changes: everything is already up to date.'
    : `No changes: queue calls are already ${queueCalls} (${dndStatus}).`;
}
