import type { Client } from '../../client/index.ts';
import type { QueueMemberPresence } from '../../contract/call-queue.ts';
import type { Extension } from '../../contract/extension.ts';
import { openDirectory, type Directory } from '../../features/directory/index.ts';
import { recordedChange } from '../../features/presence/index.ts';
import { acceptsQueueCalls } from '../../runtime/queue-calls.ts';
import { dialects } from '../../contract/dialects.ts';
import { confirmedChange } from '../../runtime/confirmed-change.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { availabilityRows, type AvailabilityRow } from './availability.rows.ts';
import { titleOf } from '../../runtime/with-number.ts';

export interface QueueAvailabilityOptions {
  readonly queue: string;
  readonly agent?: string;
  readonly on?: boolean;
  readonly off?: boolean;
}

/**
 * `queue availability QUEUE`: shows which agents accept the calls of a queue, or changes the availability of one agent.
 */
export async function showAvailability(ctx: Context, options: QueueAvailabilityOptions): Promise<void> {
  const isChange = options.on === true || options.off === true;
  if (isChange !== (options.agent !== undefined)) {
    throw usageError(
      '--agent requires --on or --off, and --on and --off require --agent',
      'use --agent AGENT with --on or --off, or omit all of them',
    );
  }
  const byQueue = dialects[ctx.settings.dialect.value].queues === 'call-queues';
  if (isChange && !byQueue) {
    throw usageError(
      'dialect spec has no separate availability for each queue',
      nextStep`to turn queue calls ${options.on ? 'on' : 'off'} for all queues of the agent: ${ucctl`presence set ${options.agent ?? ''} --queue-calls ${options.on ? 'on' : 'off'}`}`,
    );
  }
  const api = await ctx.api();
  const directory = openDirectory(api, ctx.signal);
  const queue = await found(directory.queue(options.queue));
  if (!byQueue) return ctx.out.list(presencesOf(ctx, api, directory, queue), availabilityRows.list);
  const rowsOf = (members: readonly QueueMemberPresence[]): Promise<readonly AvailabilityRow[]> =>
    Promise.all(members.map((member) => toRow(directory, member)));
  if (options.agent === undefined) {
    const members = await api.callQueues.availability(queue.id, { signal: ctx.signal });
    return ctx.out.list(await rowsOf(members), availabilityRows.list);
  }
  const agent = await found(directory.agent(options.agent));
  const accepts = options.on === true;
  const { members, isChanged } = await switchAgent(ctx, api, queue, { agent, accepts });
  // People would search for the agent among all agents of the queue.
  const isForPeople = ctx.out.isTerminal && ctx.out.format === 'table';
  const shown = isForPeople ? members.filter(({ member }) => member.id === String(agent.id)) : members;
  await ctx.out.list(await rowsOf(shown), availabilityRows.list);
  if (isChanged) noteRestore(ctx, queue, agent, accepts);
}

async function found(lookup: ReturnType<Directory['queue']>): Promise<Extension> {
  const result = await lookup;
  if (!result.found) throw lookupError(result);
  return result.found;
}

async function toRow(
  directory: Directory,
  { member, acceptQueueCalls, acceptCurrentQueueCalls }: QueueMemberPresence,
): Promise<AvailabilityRow> {
  const known = await directory.byId(member.id);
  return availabilityRows.row(
    {},
    {
      // The extension list has IDs as numbers, like the other lists. The availability has them as text.
      id: known?.id ?? member.id,
      extensionNumber: known?.extensionNumber ?? member.extensionNumber,
      name: known?.name ?? member.name ?? `extension ${member.id}`,
      acceptsQueue: acceptCurrentQueueCalls,
      acceptsQueueCalls: acceptQueueCalls,
    },
  );
}

interface Switch {
  readonly agent: Extension;
  readonly accepts: boolean;
}

/**
 * Changes the availability of one agent and reads it back.
 * @throws {CommandError} `usage` for an agent who is not in the queue; else see `confirmedChange`.
 */
async function switchAgent(
  ctx: Context,
  api: Client,
  queue: Extension,
  { agent, accepts }: Switch,
): Promise<{ readonly members: readonly QueueMemberPresence[]; readonly isChanged: boolean }> {
  const { signal } = ctx;
  const id = String(agent.id);
  const read = (): Promise<readonly QueueMemberPresence[]> =>
    api.callQueues.availability(queue.id, { signal });
  const before = await read();
  const present = before.find(({ member }) => member.id === id);
  if (!present) {
    throw usageError(
      `${titleOf(agent)} is not an agent of ${titleOf(queue)}`,
      nextStep`to add the agent: ${ucctl`queue assign --queue ${queue.extensionNumber ?? queue.id} --add ${agent.extensionNumber ?? agent.id}`}`,
    );
  }
  if (present.acceptCurrentQueueCalls === accepts) {
    ctx.out.note(
      `No changes: ${titleOf(agent)} already ${accepts ? 'accepts' : 'does not accept'} the calls of ${titleOf(queue)}.`,
    );
    return { members: before, isChanged: false };
  }
  const queues = [{ id: String(queue.id), accepts }];
  const change = {
    subject: titleOf(agent),
    payload: { extensionId: id, update: {}, before: {}, queues },
  };
  const after = await recordedChange(ctx, change, () =>
    confirmedChange({
      change: () => api.callQueues.setAvailability(queue.id, [{ id, accepts }], { signal }),
      read,
      isMade: (found) => found.find(({ member }) => member.id === id)?.acceptCurrentQueueCalls === accepts,
      hint: nextStep`to show the availability: ${ucctl`queue availability ${queue.extensionNumber ?? queue.id}`}`,
    }),
  );
  return { members: after, isChanged: true };
}

/** Writes the command that restores the earlier availability, which `history undo` does too. */
function noteRestore(ctx: Context, queue: Extension, agent: Extension, accepts: boolean): void {
  if (!ctx.out.isTerminal) return;
  const of = ({ extensionNumber, id }: Extension): string => extensionNumber ?? String(id);
  const command = ucctl`queue availability ${of(queue)} --agent ${of(agent)} --${accepts ? 'off' : 'on'}`;
  ctx.out.note(nextStep`To restore the earlier value: ${command}`);
}

/** In dialect `spec`: availability by the dndStatus of each agent. */
async function* presencesOf(
  ctx: Context,
  api: Client,
  directory: Directory,
  queue: Extension,
): AsyncGenerator<AvailabilityRow, void, undefined> {
  for await (const member of api.departments.members(queue.id, { signal: ctx.signal })) {
    const known = await directory.byId(member.id);
    const { dndStatus } = await api.presence.get(member.id, {}, { signal: ctx.signal });
    const accepts = acceptsQueueCalls(dndStatus);
    yield availabilityRows.row(
      {},
      {
        id: member.id,
        extensionNumber: member.extensionNumber ?? known?.extensionNumber,
        name: known?.name ?? `extension ${member.id}`,
        acceptsQueue: accepts,
        acceptsQueueCalls: accepts,
      },
    );
  }
}
