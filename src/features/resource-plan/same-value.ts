import { isJsonObject } from '../../platform/json.ts';
import type { PresentResource, ResourceChange, ResourceKind, Value } from './change.ts';

/** A time with a time zone, such as `2026-12-24T00:00:00+01:00`. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;

/**
 * Whether two values are equal. The order of members does not matter, an absent value equals null and an empty list, and
 * times are compared by instant.
 */
export function isSameValue(one: Value | undefined, other: Value | undefined): boolean {
  return canonical(one ?? null) === canonical(other ?? null);
}

/**
 * Whether a present value is as desired. The service may add members to an object, such as members with default values,
 * so only the members of the desired value count. A desired member that is null must be absent, or have its default.
 * @param defaults the default of the value, or the defaults of its members, which the service may omit
 */
export function isAsDesired(
  present: Value | undefined,
  desired: Value | undefined,
  defaults?: Value,
): boolean {
  if (isTrimmedText(present, desired)) return true;
  if (Array.isArray(desired) && Array.isArray(present)) {
    const list = present as readonly Value[];
    const wanted = desired as readonly Value[];
    return list.length === wanted.length && wanted.every((item, index) => isAsDesired(list[index], item));
  }
  if (isJsonObject(desired)) {
    const ofMembers = isJsonObject(defaults) ? defaults : undefined;
    const members = present ?? (ofMembers && {});
    return (
      isJsonObject(members) &&
      Object.entries(desired).every(([name, member]) => isAsDesired(members[name], member, ofMembers?.[name]))
    );
  }
  const own = isJsonObject(defaults) ? undefined : defaults;
  return isSameValue(present ?? own, desired ?? own);
}

/**
 * Whether a present text is the desired text without the spaces around it. No published document says whether the service
 * keeps these spaces, so a file that contains them does not differ forever (docs/adr/0095-spaces-around-texts.md).
 */
export function isTrimmedText(present: Value | undefined, desired: Value | undefined): boolean {
  if (typeof desired !== 'string' || desired === desired.trim()) return false;
  return (present ?? '') === desired.trim();
}

/** Whether the settings of a change are in effect. */
export function isInEffect(
  { after }: ResourceChange,
  present: PresentResource | undefined,
  { defaults }: Pick<ResourceKind, 'defaults'>,
): boolean {
  if (present === undefined) return false;
  return Object.entries(after).every(([name, value]) =>
    isAsDesired(present.values[name], value, defaults?.[name]),
  );
}

/**
 * Returns the value that undoes a change: the value before the change, with null for each member that the change added.
 */
export function restoring(before: Value | undefined, after: Value | undefined): Value {
  if (Array.isArray(before) && Array.isArray(after)) {
    const changed = after as readonly Value[];
    return (before as readonly Value[]).map((item, index) =>
      isJsonObject(item) ? restoring(item, changed[index]) : item,
    );
  }
  if (!isJsonObject(before) || !isJsonObject(after)) return before ?? null;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      name in before && name in after ? restoring(before[name], after[name]) : (before[name] ?? null),
    ]),
  );
}

function canonical(value: Value): string {
  if (Array.isArray(value)) {
    const items = value as readonly Value[];
    return items.length === 0 ? 'null' : `[${items.map(canonical).join(',')}]`;
  }
  if (typeof value === 'string' && instant.test(value)) return `time ${Date.parse(value)}`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value)
    .map(([name, member]) => [name, canonical(member)] as const)
    .filter(([, text]) => text !== 'null')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}
