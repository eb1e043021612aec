import { cellPlace, type ListProblem, type Place } from '../bulk/index.ts';
import type { Value } from '../resource-plan/index.ts';

/** A person of a file, before the name is looked up. */
export interface Listed {
  readonly name: string;
  readonly values: Readonly<Record<string, Value>>;
  readonly place: Place;
  /** The lines of the settings in YAML, by their names. */
  readonly lines?: Readonly<Record<string, number>>;
  /** Index of the row; undefined in YAML. */
  readonly row?: number;
}

/** Returns the problem of a setting of a person. */
export function problemOf({ place, lines, row }: Listed, column: string, text: string): ListProblem {
  const line = lines?.[column] ?? place.line;
  return { place: cellPlace({ ...place, line }, column), text, isOfRow: true, row };
}
