import { settingText } from '../../platform/setting-text.ts';
import type { ListProblem } from '../bulk/index.ts';
import type {
  DesiredResource,
  PresentResource,
  ResourceChange,
  ResourceKind,
  ResourcePlan,
  ResourceRef,
  Value,
} from './change.ts';
import { isAsDesired, isSameValue } from './same-value.ts';

/** Compares a file with the current resources. @param present the current resources by key */
export function compareResources(
  desired: readonly DesiredResource[],
  present: ReadonlyMap<string, PresentResource>,
  kind: Pick<ResourceKind, 'complete' | 'defaults'> = {},
): ResourcePlan {
  const changes: ResourceChange[] = [];
  const unchanged: ResourceRef[] = [];
  const problems: ListProblem[] = [];
  for (const { values: own, rows = [], ...ref } of desired) {
    const found = present.get(ref.key);
    if (!found && ref.id !== null) {
      // It existed when the file was read. Another user has deleted it since.
      problems.push({ place: undefined, text: `${ref.title} no longer exists` });
      continue;
    }
    if (!found) {
      changes.push({ ...ref, id: null, action: 'create', before: {}, after: own, rows });
      continue;
    }
    const values = kind.complete?.(own, found.values) ?? own;
    const names = Object.keys(values).filter(
      (name) => !isAsDesired(found.values[name], values[name], kind.defaults?.[name]),
    );
    const known = { ...ref, id: found.id };
    if (names.length === 0) unchanged.push(known);
    else {
      const pick = (from: DesiredResource['values']): DesiredResource['values'] =>
        Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
      changes.push({ ...known, action: 'update', before: pick(found.values), after: pick(values), rows });
    }
  }
  return { changes, unchanged, problems };
}

/** A setting that another user changed. */
export interface Drift {
  readonly ref: ResourceRef;
  readonly texts: readonly string[];
}

/**
 * Finds the resources whose current settings differ from `expected`, or that exist although they should not.
 * @param expected `before` for changes that are not sent yet, `after` for changes that were made, `either` for changes
 * of an interrupted run
 */
export function findDrift(
  changes: readonly ResourceChange[],
  present: ReadonlyMap<string, PresentResource>,
  expected: 'before' | 'after' | 'either',
  { defaults }: Pick<ResourceKind, 'defaults'> = {},
): readonly Drift[] {
  return changes.flatMap((change): readonly Drift[] => {
    const { action, id, key, title } = change;
    const ref = { id, key, title };
    const found = present.get(key);
    if (action === 'create' && expected !== 'after') {
      // An interrupted run may have created the resource itself.
      return found && expected === 'before' ? [{ ref, texts: [`already exists (ID ${found.id})`] }] : [];
    }
    if (!found) return [{ ref, texts: ['no longer exists'] }];
    const base = expected === 'either' ? 'before' : expected;
    const isMade = (name: string): boolean =>
      expected !== 'before' && isAsDesired(found.values[name], change.after[name], defaults?.[name]);
    // The service may have added members to a value of the change, but not to a value that was read.
    const isAsBefore = (name: string, value: Value): boolean =>
      expected !== 'after' && isSameValue(found.values[name], value);
    const texts = Object.entries(change[base])
      .filter(([name, value]) => !isAsBefore(name, value) && !isMade(name))
      .map(([name, value]) => `${name} was ${show(value)} and is now ${show(found.values[name] ?? null)}`);
    return texts.length > 0 ? [{ ref, texts }] : [];
  });
}

/** Formats a value for people: text without quotes, `none` for an absent value, `settingText` for a schedule and for numbers, JSON for the rest. */
export function show(value: DesiredResource['values'][string]): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  return typeof value === 'string' ? value || '""' : (settingText(value) ?? JSON.stringify(value));
}
