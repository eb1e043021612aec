import type { Context } from '../../runtime/context.ts';
import { show } from './compare.ts';
import type { Values } from './change.ts';

/**
 * Returns the values of the service that an export omits, because no file can contain them. Empty texts count as absent.
 * @param ofFile the values that a file can contain
 */
export function omittedValues(present: Values, ofFile: Values): Values {
  return Object.fromEntries(
    Object.entries(present).filter(
      ([name, value]) => value !== null && value !== '' && (ofFile[name] ?? null) === null,
    ),
  );
}

/** Warns about the omitted values of a queue, a person or an owner of hours. */
export function warnOfOmitted({ out }: Pick<Context, 'out'>, title: string, omitted: Values): void {
  const values = Object.entries(omitted).map(([name, value]) => `${name} ${show(value)}`);
  if (values.length === 0) return;
  const these = values.length === 1 ? 'this value' : 'these values';
  out.warn(`${title}: no file can contain ${values.join(', ')}; exports omit ${these}`);
}
