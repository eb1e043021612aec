import { callOutcome, type Outcome } from './magic-numbers.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { World } from '../world/world.ts';

/** One end of a call before it rings. */
export interface Telephone {
  readonly extensionId: number | null;
  readonly phoneNumber: string | null;
  readonly name: string | null;
  readonly plan: Outcome;
}

/** The extension that a number of the account rings: its owner, and the operator for a number of the company. */
export function extensionOfNumber(world: World, phoneNumber: string): ExtensionRow | undefined {
  const number = world.numbers.byNumber(phoneNumber);
  if (!number) return undefined;
  const id = number.extensionId ?? world.accounts.byId(number.accountId)?.operatorId ?? undefined;
  return id === undefined ? undefined : world.extensions.byId(id);
}

/** Who rings for a number: someone outside, an extension, or for a queue its first agent who is free, and without one the queue itself. */
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
  if (agent) return { callee: extensionTelephone(world, agent, true), queueId };
  const own = extensionTelephone(world, extension, false);
  // The number that was dialled, which may be one of the company.
  return { callee: phoneNumber.startsWith('+') ? { ...own, phoneNumber } : own, queueId };
}

/** An extension's own telephone. */
export function extensionTelephone(world: World, extension: ExtensionRow, queueCall: boolean): Telephone {
  return {
    extensionId: extension.id,
    phoneNumber: world.numbers.direct(extension.id)?.phoneNumber ?? null,
    name: extension.name,
    plan: planOf(world, extension, queueCall),
  };
}

/** The agents of a queue who take its calls now, in order of id. */
export function readyAgents(world: World, queueId: number): readonly ExtensionRow[] {
  return world.departments
    .members(queueId)
    .rows.filter(
      (agent) =>
        planOf(world, agent, true) === 'answer' &&
        world.presences.of(agent.id).userStatus !== 'Offline' &&
        world.calls.live(agent.id).length === 0,
    );
}

/** What the person's state makes of a call: who may not be called cannot be reached, who takes none is busy. */
function planOf(world: World, extension: ExtensionRow, queueCall: boolean): Outcome {
  if (extension.status !== 'Enabled') return 'error';
  if (extension.type !== 'User') return 'noAnswer';
  const mode = world.presences.of(extension.id).dndStatus;
  const refuses = queueCall ? 'DoNotAcceptDepartmentCalls' : 'TakeDepartmentCallsOnly';
  return mode === 'DoNotAcceptAnyCalls' || mode === refuses ? 'busy' : 'answer';
}
