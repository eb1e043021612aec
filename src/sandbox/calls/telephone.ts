import { callOutcome, type PhoneBehaviour } from './magic-numbers.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { World } from '../world/world.ts';

/** One end of a call, before it rings. */
export interface Telephone {
  readonly extensionId: number | null;
  readonly phoneNumber: string | null;
  readonly name: string | null;
  /** The number of this phone that the other party sees; by default `phoneNumber`. */
  readonly callerId?: string | undefined;
  readonly plan: PhoneBehaviour;
}

/** Returns the extension that a number of the account rings: its owner; the operator for a company number. */
export function extensionOfNumber(world: World, phoneNumber: string): ExtensionRow | undefined {
  const number = world.numbers.byNumber(phoneNumber);
  if (!number) return undefined;
  const id = number.extensionId ?? world.accounts.byId(number.accountId)?.operatorId ?? undefined;
  return id === undefined ? undefined : world.extensions.byId(id);
}

/**
 * Returns the party that a number reaches: an external phone, an extension, or the first free agent of a queue. If no
 * agent is free, the queue itself.
 */
export function called(
  world: World,
  extension: ExtensionRow | undefined,
  phoneNumber: string,
): { readonly callee: Telephone; readonly queueId: number | null } {
  if (!extension) {
    const plan = callOutcome(phoneNumber);
    return { callee: { extensionId: null, phoneNumber, name: null, plan }, queueId: null };
  }
  const queueId = extension.type === 'Department' ? extension.id : null;
  const [agent] = queueId === null ? [] : readyAgents(world, queueId);
  if (agent) return { callee: extensionTelephone(world, agent, 'queue'), queueId };
  const own = extensionTelephone(world, extension, 'direct');
  // The dialed number, which may be a company number.
  return { callee: phoneNumber.startsWith('+') ? { ...own, phoneNumber } : own, queueId };
}

/** Whether a call comes from a queue; an agent may not accept the calls of queues. */
type CallKind = 'queue' | 'direct';

/** Returns the phone of an extension. */
export function extensionTelephone(world: World, extension: ExtensionRow, call: CallKind): Telephone {
  return {
    extensionId: extension.id,
    phoneNumber: world.numbers.direct(extension.id)?.phoneNumber ?? null,
    name: extension.name,
    plan: planOf(world, extension, call),
  };
}

/** Returns the agents of a queue who currently take its calls, ordered by ID. */
export function readyAgents(world: World, queueId: number): readonly ExtensionRow[] {
  const absent = world.queueSettings.absent(queueId);
  return world.departments
    .members(queueId)
    .rows.filter(
      (agent) =>
        planOf(world, agent, 'queue') === 'answer' &&
        !absent.has(agent.id) &&
        world.presences.of(agent.id).userStatus !== 'Offline' &&
        world.calls.live(agent.id).length === 0,
    );
}

/** Returns the outcome of a call to an extension: error if it is not Enabled, busy if its dndStatus blocks the call. */
function planOf(world: World, extension: ExtensionRow, call: CallKind): PhoneBehaviour {
  if (extension.status !== 'Enabled') return 'error';
  if (extension.type !== 'User') return 'noAnswer';
  const mode = world.presences.of(extension.id).dndStatus;
  const blocking = call === 'queue' ? 'DoNotAcceptDepartmentCalls' : 'TakeDepartmentCallsOnly';
  return mode === 'DoNotAcceptAnyCalls' || mode === blocking ? 'busy' : 'answer';
}
