import { titleOf, type Guard } from '../../features/assignment/index.ts';
import { counted } from '../../platform/counted.ts';

/** A safety limit that a plan exceeds, in words. */
function guardText(guard: Guard): string {
  switch (guard.kind) {
    case 'max-removals': {
      const { removed, total, limit, given } = guard;
      const most = given === String(limit) ? given : `${given} (${limit})`;
      return `${removed} of ${counted(total, 'agent')} would be removed, more than ${most}`;
    }
    case 'empty':
      return `${titleOf(guard.queue)} would have no agent left`;
    case 'protected':
      return `${titleOf(guard.agent)} is protected and would be removed from ${titleOf(guard.queue)}`;
    case 'sentence':
    default:
      return guard.text;
  }
}

/** The same with the option that allows it, for a plan that is being made. */
export function guardAdvice(guard: Guard): string {
  switch (guard.kind) {
    case 'max-removals':
      return `${guardText(guard)}; --max-removals allows more`;
    case 'empty':
      return `${guardText(guard)}; --allow-empty allows it`;
    case 'protected':
    case 'sentence':
    default:
      return guardText(guard);
  }
}

/** The same for the rest of a run: the limits that it was started with cannot be loosened when it is resumed. */
export function restGuardText(guard: Guard, isOfRun: boolean): string {
  return isOfRun ? `${guardText(guard)}; the run was started with this limit` : guardText(guard);
}

/** The same for a saved plan: its limits cannot be loosened when it is applied. */
export function savedGuardText(guard: Guard, isOfPlan: boolean): string {
  return isOfPlan ? `${guardText(guard)}; the plan was made with this limit` : guardText(guard);
}
