import type { DesiredResource, ResourceChange, Values } from './change.ts';

/** An extension that has a number. */
export interface NumberHolder {
  readonly id: string;
  readonly title: string;
  readonly number: string;
}

/** A resource of a file, and the reason why it cannot get its number. */
export interface NumberProblem {
  readonly resource: DesiredResource;
  readonly text: string;
}

/**
 * Finds the resources of a file that cannot get their number: the number belongs to another extension, the
 * file gives the number to two resources, or resources exchange their numbers, which is not possible in one
 * run.
 * @param setting the name of the setting that contains the number
 */
export function findNumberProblems(
  desired: readonly DesiredResource[],
  setting: string,
  holders: readonly NumberHolder[],
): readonly NumberProblem[] {
  const wanted = new Map<string, string>();
  for (const { id, values } of desired) {
    const number = values[setting];
    if (id !== null && typeof number === 'string') wanted.set(id, number);
  }
  const holderOf = new Map(holders.map((holder) => [holder.number, holder]));
  /** Returns the extension that currently has a number, and either retains it or must release it first. */
  const inTheWay = (number: string, id: string | null): NumberHolder | undefined => {
    const holder = holderOf.get(number);
    return holder && holder.id !== id ? holder : undefined;
  };
  const first = new Map<string, DesiredResource>();
  return desired.flatMap((resource): readonly NumberProblem[] => {
    const number = resource.values[setting];
    if (typeof number !== 'string') return [];
    const earlier = first.get(number);
    if (earlier) {
      const text = `${earlier.title} and ${resource.title} have the same number ${number}`;
      return [{ resource, text }];
    }
    first.set(number, resource);
    const chain: string[] = [];
    let holder = inTheWay(number, resource.id);
    while (holder) {
      const next = wanted.get(holder.id);
      if (next === undefined || next === holder.number)
        return chain.length > 0 ? [] : [{ resource, text: `number ${number} belongs to ${holder.title}` }];
      if (chain.includes(holder.id)) return [];
      chain.push(holder.id);
      if (holderOf.get(next)?.id === resource.id) {
        const text = `${resource.title} and ${holder.title} exchange their numbers, which is not possible in one run; change one of them to a free number first`;
        return [{ resource, text }];
      }
      holder = inTheWay(next, holder.id);
    }
    return [];
  });
}

/**
 * Returns changes in the order in which they are sent: creations first, and a change that frees a number before the
 * change that uses this number, in an earlier request.
 * @param unique names of the settings whose values are unique in the account
 */
export function inSteps(
  changes: readonly ResourceChange[],
  unique: readonly string[] = [],
): readonly ResourceChange[] {
  const creates = changes.filter(({ action }) => action === 'create');
  const updates = changes.filter(({ action }) => action !== 'create');
  const valuesOf = (values: Values): readonly string[] =>
    unique.flatMap((name) => (typeof values[name] === 'string' ? [`${name} ${values[name]}`] : []));
  const freedBy = new Map(
    updates.flatMap((change) => valuesOf(change.before).map((value) => [value, change] as const)),
  );
  const steps = new Map<ResourceChange, number>();
  const stepOf = (change: ResourceChange): number => {
    const known = steps.get(change);
    if (known !== undefined) return known;
    // Also ends a cycle.
    steps.set(change, 0);
    const earlier = valuesOf(change.after).flatMap((value) => freedBy.get(value) ?? []);
    const step = Math.max(0, ...earlier.filter((one) => one !== change).map((one) => stepOf(one) + 1));
    steps.set(change, step);
    return step;
  };
  const ordered = updates.map((change) => {
    const step = stepOf(change);
    return step === 0 ? change : Object.assign({ step }, change);
  });
  return [...creates, ...ordered.toSorted((a, b) => (a.step ?? 0) - (b.step ?? 0))];
}
