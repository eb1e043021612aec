import {
  readAssignments,
  readDesiredState,
  type PlanMode,
  type ReadResult,
} from '../../features/assignment/index.ts';
import { isYamlList, maySkipRows, readMap, type ListContent } from '../../features/bulk/index.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { PlanOptions } from './plan-options.command.ts';

/** Options for reading a list. */
export interface ReadListOptions extends PlanOptions {
  /** Whether the command only compares the list, so that the list must be a desired state. */
  readonly isComparison?: boolean;
}

/** Reads a list; `planList` reports its problems. */
export function readList(content: ListContent, file: string, options: ReadListOptions): ReadResult {
  const name = file === '-' ? 'stdin' : file;
  const isState = isYamlList(content, file, 'queues');
  const list = isState
    ? readDesiredState(content, name)
    : readAssignments(content, name, readMap(options.map));
  if (maySkipRows(list.problems, options)) checkMode(list, isState, options);
  return list;
}

/** Requires a mode for a desired state in a table: without it, unlisted agents could be either removed or unchanged. */
function checkMode(
  list: ReadResult,
  yaml: boolean,
  { exact, addOnly, removeOnly, isComparison }: ReadListOptions,
): void {
  const isDesiredState = list.desired.length > 0;
  if (!isDesiredState && !yaml && isComparison) {
    throw usageError(
      'the list has an "action" column, so it does not describe a desired state to compare',
      nextStep`remove the "action" column, or show the changes of the list: ${ucctl('queue plan -f FILE')}`,
    );
  }
  if (!isDesiredState && exact) {
    throw usageError(
      '--exact can be used only with a desired state, but this list has an "action" column',
      'omit --exact, or remove the "action" column',
    );
  }
  if (isDesiredState && !yaml && !exact && !addOnly && !removeOnly && !isComparison) {
    throw usageError(
      'the list has no "action" column, so it can have several meanings',
      'select one of these options; to remove the agents in the list, add an "action" column with the value remove',
      meanings,
    );
  }
}

/** The meanings of a list without an action column. */
const meanings = [
  '--add-only     add the agents in the list',
  '--exact        also remove all agents who are not in the list',
  '--remove-only  only remove all agents who are not in the list',
];

/** Returns the mode that the options select. */
export function modeOf({ addOnly, removeOnly }: PlanOptions): PlanMode {
  if (addOnly) return 'add-only';
  return removeOnly ? 'remove-only' : 'both';
}
