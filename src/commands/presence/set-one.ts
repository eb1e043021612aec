import type { Client } from '../../client/index.ts';
import type { Presence, PresenceUpdate } from '../../contract/presence.ts';
import {
  availabilityChanges,
  hasNewCallHandling,
  newCallHandlingNote,
  recordedChange,
  sameFields,
  setQueuesConfirmed,
  updateConfirmed,
  updateFor,
  type PresenceRequest,
  type QueueSwitch,
  type SingleChange,
} from '../../features/presence/index.ts';
import { titleOf } from '../../runtime/with-number.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { isRejectedWith } from '../../errors/service.ts';
import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { changedView, textOfChanges, type ChangedPresence, type FieldChanges } from './change.rows.ts';
import { changesOf, changesOfPayload } from './field-changes.ts';
import { nameOf, shownName, type Person } from './who.ts';

/** Changes one presence directly, and records the change for `history undo`. Sends only the fields that differ. */
export async function setOne(
  ctx: Context,
  api: Client,
  person: Person,
  request: PresenceRequest,
): Promise<void> {
  const { id } = person;
  const isNew = request.queueCalls !== undefined && (await hasNewCallHandling(ctx, api));
  if (isNew) return setByQueue(ctx, api, person, request);
  const present = await readFor(ctx, api, id, request);
  const update = present ? needed(present, request, person) : request.fields;
  if (present && Object.keys(update).length === 0) {
    ctx.out.note(unchangedText(present, request));
    return showChanged(ctx, person, { ...present, changes: {} });
  }
  const before = present ? sameFields(present, update) : {};
  previewDryRun(ctx, person, changesOf(update, before));
  const change = singleChange(person, present, { update, before });
  const presence = await recordedChange(ctx, change, () => updateConfirmed(api, id, update, ctx.signal));
  const changes = changesOf(sameFields(presence, update), before);
  await showChanged(ctx, person, { ...presence, changes });
  noteRestore(ctx, person, restoreOptions(before));
}

/** Changes a presence on an account with new call handling: its fields, and the availability in each queue. */
async function setByQueue(
  ctx: Context,
  api: Client,
  person: Person,
  { fields, queueCalls = 'on' }: PresenceRequest,
): Promise<void> {
  const { id } = person;
  ctx.out.note(newCallHandlingNote);
  const present = await api.presence.get(id, {}, { signal: ctx.signal });
  const { queues, total } = await availabilityChanges(api, id, queueCalls, ctx.signal);
  if (total === 0) {
    throw usageError(
      'this extension does not take queue calls: it is not in any queue',
      'omit --queue-calls',
    );
  }
  const update = needed(present, { fields }, person);
  const before = sameFields(present, update);
  const changes = changesOfPayload({ update, before, queues });
  previewDryRun(ctx, person, changes);
  if (queues.length === 0)
    ctx.out.note(`No changes: queue calls are already ${queueCalls} in ${counted(total, 'queue')}.`);
  const switched: SwitchedCalls = { queues, total, earlier: queueCalls === 'on' ? 'off' : 'on' };
  const change = singleChange(person, present, { update, before, ...(queues.length > 0 && { queues }) });
  const presence = await recordedChange(ctx, change, async (onPart) => {
    if (queues.length > 0) await setQueuesConfirmed(api, id, queues, ctx.signal);
    if (Object.keys(update).length === 0) return present;
    try {
      return await updateConfirmed(api, id, update, ctx.signal);
    } catch (error) {
      // The availability in the queues stays changed.
      if (queues.length > 0) onPart();
      noteRestoreAll(ctx, { person, presence: present }, switched, []);
      throw error;
    }
  });
  await showChanged(ctx, person, { ...presence, changes });
  noteRestoreAll(ctx, { person, presence }, switched, restoreOptions(before));
}

/** Describes a change for the journal. `present` is undefined if the user may not read the presence. */
function singleChange(
  person: Person,
  present: Presence | undefined,
  values: Omit<SingleChange['payload'], 'extensionId'>,
): SingleChange {
  const extensionId = String(present?.extension.id ?? person.id);
  return { subject: nameOf(person), payload: { extensionId, ...values } };
}

/** The queues of a person whose availability was changed. */
interface SwitchedCalls {
  readonly queues: readonly QueueSwitch[];
  /** Number of all queues of the person. */
  readonly total: number;
  readonly earlier: 'on' | 'off';
}

/** Writes the commands that restore the availability in the queues, and the fields of these options. */
function noteRestoreAll(
  ctx: Context,
  { person, presence }: { readonly person: Person; readonly presence: Presence },
  { queues, total, earlier }: SwitchedCalls,
  options: readonly string[],
): void {
  // One option restores all queues or none of them; if some have changed, each queue needs a separate command.
  const isSome = queues.length > 0 && queues.length < total;
  const calls = queues.length === 0 || isSome ? [] : ['--queue-calls', earlier];
  noteRestore(ctx, person, [...calls, ...options]);
  if (isSome) noteRestoreQueues(ctx, agentWord(person, presence), queues, earlier);
}

/** Returns the value of --agent for a person; undefined if no reply names your own extension. */
function agentWord({ id, extension }: Person, presence: Presence): string | undefined {
  // The presence may lack its extension.
  const known: Partial<Presence['extension']> | undefined = presence.extension;
  const number = extension?.extensionNumber ?? known?.extensionNumber;
  const other = id === '~' ? known?.id : id;
  return number ?? (other === undefined ? undefined : String(other));
}

function showChanged(ctx: Context, person: Person, row: ChangedPresence): Promise<void> {
  return ctx.out.record(row, changedView(shownName(ctx, person, row)));
}

/** Shows a change with the name of the person and the present values, because the request has only IDs and new values. */
function previewDryRun(ctx: Context, person: Person, changes: FieldChanges): void {
  if (ctx.dryRun) ctx.out.preview(`${nameOf(person)}: ${textOfChanges(changes)}`);
}

/** The options of the members that `presence set` can change. */
const optionNames: Readonly<Partial<Record<keyof PresenceUpdate, string>>> = {
  userStatus: 'user-status',
  dndStatus: 'dnd-status',
  message: 'message',
  allowSeeMyPresence: 'allow-see-my-presence',
  ringOnMonitoredCall: 'ring-on-monitored-call',
  pickUpCallsOnHold: 'pick-up-calls-on-hold',
};

/** Returns the options that set these values. */
function restoreOptions(before: PresenceUpdate): readonly string[] {
  return Object.entries(before).flatMap(([field, value]) => {
    const name = optionNames[field as keyof PresenceUpdate];
    if (value === undefined || name === undefined) return [];
    if (typeof value === 'boolean') return [value ? `--${name}` : `--no-${name}`];
    return [`--${name}`, value];
  });
}

/** Writes the command that restores the earlier values, which `history undo` does too. */
function noteRestore(ctx: Context, { id, extension }: Person, options: readonly string[]): void {
  if (options.length === 0 || ctx.dryRun) return;
  const who = id === '~' ? [] : [extension?.extensionNumber ?? String(id)];
  const command = ucctl`presence set ${who} ${options}`;
  ctx.out.note(nextStep`To restore the earlier values: ${command}`);
}

/** Writes, for each changed queue, a command that restores the availability in the queue. */
function noteRestoreQueues(
  ctx: Context,
  agent: string | undefined,
  queues: readonly QueueSwitch[],
  earlier: 'on' | 'off',
): void {
  if (ctx.dryRun) return;
  if (agent === undefined) {
    const ids = queues.map(({ id }) => id).join(', ');
    ctx.out.note(`To restore the earlier values, turn your calls ${earlier} in these queues: ${ids}`);
    return;
  }
  for (const { id } of queues) {
    const command = ucctl`queue availability ${id} --agent ${agent} --${earlier}`;
    ctx.out.note(nextStep`To restore the earlier value: ${command}`);
  }
}

/**
 * Reads the present values. Returns undefined if the user may not read them and the request does not depend on them.
 */
async function readFor(
  ctx: Context,
  api: Client,
  id: Person['id'],
  { queueCalls }: PresenceRequest,
): Promise<Presence | undefined> {
  try {
    return await api.presence.get(id, {}, { signal: ctx.signal });
  } catch (error) {
    const isForbidden = isRejectedWith(error, 403);
    if (queueCalls === undefined && isForbidden) return undefined;
    throw error;
  }
}

function needed(present: Presence, request: PresenceRequest, { extension }: Person): PresenceUpdate {
  try {
    return updateFor(present, request);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    if (present.dndStatus !== undefined)
      throw usageError(error.message, 'set the status directly with --dnd-status');
    if (extension?.type !== 'Department') throw usageError(error.message, 'omit --queue-calls');
    const queue = extension.extensionNumber ?? String(extension.id);
    throw usageError(
      `cannot set queue calls for ${titleOf(extension)}: this setting belongs to each agent, not to the queue`,
      nextStep`to change all agents of the queue: ${ucctl`presence set --queue ${queue} --queue-calls ${request.queueCalls ?? 'off'}`}`,
    );
  }
}

function unchangedText({ dndStatus }: Presence, { fields, queueCalls }: PresenceRequest): string {
  return queueCalls === undefined || Object.keys(fields).length > 0
    ? 'No changes: everything is already up to date.'
    : `No changes: queue calls are already ${queueCalls} (${dndStatus}).`;
}
