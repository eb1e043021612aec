import type { Guard } from '../../features/assignment/index.ts';
import { counted } from '../../platform/counted.ts';
import { titleOf } from '../../runtime/with-number.ts';

/** Describes a safety limit that a plan exceeds. */
function guardText(guard: Guard): string {
  switch (guard.kind) {
    case 'max-removals': {
      const { removed, total, limit, given } = guard;
      const most = given === String(limit) ? given : `${given} (${limit})`;
      return `${removed} of ${counted(total, 'agent')} would be removed, but the limit is ${most}`;
    }
    case 'empty':
      return `${titleOf(guard.queue)} would have no agents left`;
    case 'protected':
      return `${titleOf(guard.agent)} is protected and would be removed from ${titleOf(guard.queue)}`;
    case 'sentence':
    default:
      return guard.text;
  }
}

/** Describes a guard of a new plan, with the option that changes the limit. */
export function guardAdvice(guard: Guard): string {
  switch (guard.kind) {
    case 'max-removals':
      return `${guardText(guard)}; use --max-removals to allow more`;
    case 'empty':
      return `${guardText(guard)}; use --allow-empty to allow an empty queue`;
    case 'protected':
      return `${guardText(guard)}; set by --protect or the protect setting`;
    case 'sentence':
    default:
      return guardText(guard);
  }
}

/** Describes a guard of a resumed run. The limits that are stored in the run cannot be relaxed. */
export function remainingGuardText(guard: Guard, isOfRun: boolean): string {
  return isOfRun ? `${guardText(guard)}; the run was started with this limit` : guardText(guard);
}

/** Describes a guard of a saved plan. The limits that are stored in the plan cannot be relaxed. */
export function savedGuardText(guard: Guard, isOfPlan: boolean): string {
  return isOfPlan ? `${guardText(guard)}; the plan was created with this limit` : guardText(guard);
}
