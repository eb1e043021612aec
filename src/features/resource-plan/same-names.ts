import { CommandError, Exit } from '../../errors/command.ts';

/** Something that a saved plan changes, with its name in the plan and its present name. */
export interface PlannedName {
  readonly id: string | null;
  readonly planned: string;
  /** Undefined if nothing in the account has this ID. */
  readonly present: string | undefined;
}

/**
 * Checks the names in a saved plan. The plan changes what its IDs refer to, but people read its names before they confirm
 * it.
 * @throws {CommandError} `stale_plan` (exit 11) if a name differs from the account: somebody has changed the name, or
 * the plan.
 */
export function requireSameNames(names: readonly PlannedName[]): void {
  const details = names
    .filter(({ planned, present }) => planned !== present)
    .map(({ id, planned, present }) => {
      const what = id === null ? `"${planned}"` : `"${planned}" with ID ${id}`;
      return present === undefined
        ? `the plan changes ${what}, which is not in the account`
        : `the plan changes ${what}, but the name in the account is "${present}"`;
    });
  if (details.length === 0) return;
  throw new CommandError('stale_plan', Exit.conflict, 'the names in the plan differ from the account', {
    details: [...new Set(details)],
    hint: 'nothing was sent; create the plan again',
  });
}
