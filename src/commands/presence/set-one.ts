import type { Client } from '../../client/index.ts';
import type { Presence, PresenceUpdate } from '../../contract/presence.ts';
import { sameFields, updateConfirmed, updateFor, type PresenceWish } from '../../features/presence/index.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { changedView, type ChangedPresence } from './change.rows.ts';
import { changesOf } from './field-changes.ts';
import type { Person } from './who.ts';

/** Changes one presence at once. What is so already is not sent. */
export async function setOne(ctx: Context, api: Client, { id }: Person, wish: PresenceWish): Promise<void> {
  const present = await readFor(ctx, api, id, wish);
  const update = present ? needed(present, wish) : wish.fields;
  if (present && Object.keys(update).length === 0) {
    ctx.out.note(`nothing to change: ${alreadySo(present, wish)}`);
    return ctx.out.record<ChangedPresence>({ ...present, changes: {} }, changedView);
  }
  const presence = await updateConfirmed(api, id, update, ctx.signal);
  const changes = changesOf(sameFields(presence, update), present ? sameFields(present, update) : {});
  await ctx.out.record<ChangedPresence>({ ...presence, changes }, changedView);
}

/** Undefined where one may change but not read, and need not know what is there. */
async function readFor(
  ctx: Context,
  api: Client,
  id: Person['id'],
  { queueCalls }: PresenceWish,
): Promise<Presence | undefined> {
  try {
    return await api.presence.get(id, {}, { signal: ctx.signal });
  } catch (error) {
    const isForbidden = error instanceof Error && 'status' in error && error.status === 403;
    if (queueCalls === undefined && isForbidden) return undefined;
    throw error;
  }
}

function needed(present: Presence, wish: PresenceWish): PresenceUpdate {
  try {
    return updateFor(present, wish);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(error.message, 'set it directly: --dnd-status');
  }
}

function alreadySo({ dndStatus }: Presence, { fields, queueCalls }: PresenceWish): string {
  return queueCalls === undefined || Object.keys(fields).length > 0
    ? 'it is so already'
    : `queue calls are ${queueCalls} already (${dndStatus})`;
}
