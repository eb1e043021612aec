import { isSameValue, type DesiredResource, type PresentResource, type ResourceChange } from './change.ts';
import type { ResourcePlan, ResourceRef } from './change.ts';

/**
 * Compares a file with the present resources.
 * @param present the present resources by key
 */
export function compareResources(
  desired: readonly DesiredResource[],
  present: ReadonlyMap<string, PresentResource>,
): ResourcePlan {
  const changes: ResourceChange[] = [];
  const unchanged: ResourceRef[] = [];
  for (const { values, rows = [], ...ref } of desired) {
    const found = present.get(ref.key);
    if (!found) {
      changes.push({ ...ref, id: null, action: 'create', before: {}, after: values, rows });
      continue;
    }
    const names = Object.keys(values).filter((name) => !isSameValue(values[name], found.values[name]));
    const known = { ...ref, id: found.id };
    if (names.length === 0) unchanged.push(known);
    else {
      const pick = (from: DesiredResource['values']): DesiredResource['values'] =>
        Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
      changes.push({ ...known, action: 'update', before: pick(found.values), after: pick(values), rows });
    }
  }
  return { changes, unchanged, problems: [] };
}

/** A setting that somebody else changed. */
export interface Drift {
  readonly ref: ResourceRef;
  readonly texts: readonly string[];
}

/**
 * Finds the resources whose present settings differ from `expected`, or that exist although they should not.
 * @param expected `before` for changes that are not sent yet, `after` for changes that were made
 */
export function findDrift(
  changes: readonly ResourceChange[],
  present: ReadonlyMap<string, PresentResource>,
  expected: 'before' | 'after',
): readonly Drift[] {
  return changes.flatMap((change): readonly Drift[] => {
    const { action, id, key, title } = change;
    const ref = { id, key, title };
    const found = present.get(key);
    if (action === 'create' && expected === 'before') {
      return found ? [{ ref, texts: [`exists now (ID ${found.id})`] }] : [];
    }
    if (!found) return [{ ref, texts: ['does not exist any more'] }];
    const texts = Object.entries(change[expected])
      .filter(([name, value]) => !isSameValue(value, found.values[name]))
      .map(([name, value]) => `${name} was ${show(value)} and is now ${show(found.values[name] ?? null)}`);
    return texts.length > 0 ? [{ ref, texts }] : [];
  });
}

/** A value for people: text without quotes, `none` for an absent value, JSON for the rest. */
export function show(value: DesiredResource['values'][string]): string {
  if (value === null) return 'none';
  return typeof value === 'string' ? value || '""' : JSON.stringify(value);
}
