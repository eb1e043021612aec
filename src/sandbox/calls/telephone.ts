import { callOutcome, type Outcome } from '../magic-numbers.ts';
import type { ExtensionRow } from '../store/extensions.ts';
import type { World } from '../world.ts';

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

/** The telephone of any number: outside, or an extension's with the person's own settings. */
export function telephoneOf(world: World, phoneNumber: string): Telephone {
  const extension = extensionOfNumber(world, phoneNumber);
  if (extension) return { ...extensionTelephone(world, extension, false), phoneNumber };
  return { extensionId: null, phoneNumber, name: null, plan: callOutcome(phoneNumber) };
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
