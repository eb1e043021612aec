import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import type { DndStatus, UserStatus } from '../../contract/enums.ts';
import { PRESENCE_MESSAGE_CHARACTERS } from '../../contract/limits.ts';
import type { Presence, PresenceUpdate } from '../../contract/presence.ts';
import { countUtf16Units } from '../../platform/utf16.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../runtime/errors.ts';
import { findExtension } from './find-extension.ts';
import { presenceView } from './presence-view.ts';
import { withQueueCalls } from './queue-calls.ts';

export interface PresenceSetOptions {
  readonly extension: string;
  readonly userStatus?: UserStatus;
  readonly dndStatus?: DndStatus;
  readonly queueCalls?: 'on' | 'off';
  readonly message?: string;
  readonly allowSeeMyPresence?: boolean;
  readonly ringOnMonitoredCall?: boolean;
  readonly pickUpCallsOnHold?: boolean;
}

/** `presence set [EXT]`: sends only the fields that were given. */
export async function setPresence(ctx: Context, options: PresenceSetOptions): Promise<void> {
  const { extension, queueCalls, ...fields } = options;
  const changes = givenFields(fields);
  checkChanges(changes, queueCalls);
  const api = await ctx.api();
  const id = await findExtension(api, extension, ctx.signal);
  if (queueCalls === undefined) return update(ctx, api, id, changes);
  const present = await api.presence.get(id, {}, { signal: ctx.signal });
  const dndStatus = dndStatusFor(present, queueCalls);
  if (dndStatus !== present.dndStatus) return update(ctx, api, id, { ...changes, dndStatus });
  if (Object.keys(changes).length > 0) return update(ctx, api, id, changes);
  ctx.out.note(`nothing to change: queue calls are ${queueCalls} already (${dndStatus})`);
  await ctx.out.record(present, presenceView);
}

function givenFields(fields: PresenceUpdate): PresenceUpdate {
  const { userStatus, dndStatus, message, allowSeeMyPresence, ringOnMonitoredCall, pickUpCallsOnHold } =
    fields;
  return {
    ...(userStatus !== undefined && { userStatus }),
    ...(dndStatus !== undefined && { dndStatus }),
    ...(message !== undefined && { message }),
    ...(allowSeeMyPresence !== undefined && { allowSeeMyPresence }),
    ...(ringOnMonitoredCall !== undefined && { ringOnMonitoredCall }),
    ...(pickUpCallsOnHold !== undefined && { pickUpCallsOnHold }),
  };
}

function checkChanges(changes: PresenceUpdate, queueCalls: 'on' | 'off' | undefined): void {
  if (queueCalls === undefined && Object.keys(changes).length === 0) {
    throw usageError(
      'nothing to change',
      'give at least one of --user-status, --queue-calls, --message, ...',
    );
  }
  if (queueCalls !== undefined && changes.dndStatus !== undefined) {
    throw usageError('--queue-calls and --dnd-status both set which calls are taken: give one of them');
  }
  const length = countUtf16Units(changes.message ?? '');
  if (length > PRESENCE_MESSAGE_CHARACTERS) {
    throw usageError(
      `the message has ${length} characters; at most ${PRESENCE_MESSAGE_CHARACTERS} are allowed`,
    );
  }
}

function dndStatusFor(present: Presence, queueCalls: 'on' | 'off'): DndStatus {
  const wanted = withQueueCalls(present.dndStatus, queueCalls);
  if (wanted) return wanted;
  throw usageError(
    present.dndStatus === undefined
      ? 'this extension takes no calls of queues: it has no dndStatus'
      : `--queue-calls cannot change the state ${present.dndStatus}`,
    'set it directly: --dnd-status',
  );
}

async function update(ctx: Context, api: Client, id: Id, changes: PresenceUpdate): Promise<void> {
  const presence = await api.presence.update(id, changes, { signal: ctx.signal });
  await ctx.out.record(presence, presenceView);
}
