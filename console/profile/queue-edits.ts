import type { ListedPerson } from '../../src/commands/console/types.ts';

/** Returns the current agents with the edits of the user, which changed `before` to `edited`. */
export function withEdits(
  current: readonly ListedPerson[],
  before: readonly ListedPerson[],
  edited: readonly ListedPerson[],
): readonly ListedPerson[] {
  const added = without(edited, before);
  return [...without(without(current, without(before, edited)), added), ...added];
}

/** Returns the people who are not in `others`. */
function without(people: readonly ListedPerson[], others: readonly ListedPerson[]): readonly ListedPerson[] {
  const known = new Set(others.map(({ id }) => String(id)));
  return people.filter(({ id }) => !known.has(String(id)));
}

/** Whether two lists have the same people. */
export function isSame(a: readonly ListedPerson[], b: readonly ListedPerson[]): boolean {
  return a.length === b.length && without(a, b).length === 0;
}
