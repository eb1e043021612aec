import {
  isList,
  isMembers,
  type Members,
  type RecordShape,
  type Shape,
  type Value,
} from './service/shape.ts';
import { idText } from './service/world.ts';
import { keyOf } from './service/write-down.ts';

/** Whether a value has the type that the documents specify. */
function fits(shape: Shape, value: Value | undefined): boolean {
  switch (shape.kind) {
    case 'integer':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'flag':
      return typeof value === 'boolean';
    case 'id':
      return typeof value === 'string' ? /^\d+$/.test(value) : ['number', 'bigint'].includes(typeof value);
    case 'list':
      return isList(value);
    case 'record':
      return isMembers(value);
    case 'text':
    case 'word':
    case 'moment':
    case 'address':
      break;
  }
  return typeof value === 'string';
}

/**
 * How the shown records differ from this served row: the row is missing, one of its members has another value, or
 * there is a member that was not served. Members of a type other than the published one, and members that no document
 * names, may be dropped.
 */
export function agrees(shape: RecordShape, served: Value, got: readonly Value[]): string | undefined {
  if (!isMembers(served)) return undefined;
  const key = keyOf(served);
  const found = got.filter(isMembers).find((row) => keyOf(row) === key);
  if (!found) return `the row ${key} is missing`;
  const wrong = differs(shape, served, found);
  return wrong === undefined ? undefined : `row ${key}: ${wrong}`;
}

/** The placeholder for a status that the service did not send. */
const unknown = 'Unknown';
/** The placeholder that commands show instead of a secret. */
const masked = '********';

/** Where a record differs from the one that was served. */
function differs(shape: Shape, served: Value, got: Value | undefined): string | undefined {
  if (!fits(shape, served) || got === masked) return undefined;
  if (shape.kind === 'list' && isList(served)) {
    const items = isList(got) ? got : [];
    if (items.length !== served.length && served.every((item) => fits(shape.of, item)))
      return `${served.length} items became ${items.length}`;
    return undefined;
  }
  if (shape.kind !== 'record' || !isMembers(served))
    return idText(served) === idText(got) ? undefined : `${idText(served)} became ${idText(got)}`;
  if (!isMembers(got)) return 'a record became something else';
  for (const [name, member] of Object.entries(shape.members)) {
    const value = Object.hasOwn(served, name) ? served[name] : undefined;
    const other = Object.hasOwn(got, name) ? got[name] : undefined;
    if (value === undefined || value === null) {
      if (
        other !== undefined &&
        other !== null &&
        other !== unknown &&
        !isEmpty(other) &&
        !isDerived(name, other, served)
      )
        return `${name} was not served, but is shown`;
      continue;
    }
    const wrong = differs(member, value, other);
    if (wrong !== undefined) return `${name}: ${wrong}`;
  }
  return undefined;
}

/** Whether a duration in seconds is that of the served milliseconds. */
function isDerived(name: string, shown: Value, { durationMs }: Members): boolean {
  return name === 'duration' && Number(shown) === Math.floor(Number(durationMs) / 1000);
}

function isEmpty(value: Value): boolean {
  if (isMembers(value)) return Object.values(value).every(isEmpty);
  return value === '' || value === null || (isList(value) && value.length === 0);
}
