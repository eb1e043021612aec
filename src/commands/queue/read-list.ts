import {
  readAssignments,
  readWantedState,
  type PlanMode,
  type ReadResult,
} from '../../features/assignment/index.ts';
import { readMap } from '../../features/bulk/index.ts';
import { usageError } from '../../errors/command.ts';
import type { WishOptions } from './wish-options.command.ts';

/** The wishes of a list, or what is wrong with it: `requireReadable` tells that. */
export function readList(text: string, file: string, options: WishOptions): ReadResult {
  const name = file === '-' ? 'stdin' : file;
  const list = isYaml(text, file)
    ? readWantedState(text, name)
    : readAssignments(text, name, readMap(options.map));
  if (list.problems.length === 0) checkMode(list, isYaml(text, file), options);
  return list;
}

/** By the name of the file, else by how it begins: an export into a file of any name is a list. */
function isYaml(text: string, file: string): boolean {
  return (
    /\.(ya?ml|json)$/i.test(file) ||
    /^(?:\uFEFF)?(?:---\s*\n|#.*\n|\s*\n)*(?:queues\s*:|\{\s*"queues")/.test(text)
  );
}

/** A CSV list without actions could mean an addition as well as the whole truth: it has to be said which. */
function checkMode(list: ReadResult, yaml: boolean, { exact, addOnly, removeOnly }: WishOptions): void {
  const saysWho = list.wanted.length > 0;
  if (!saysWho && exact) {
    throw usageError('--exact is for lists that say who is in a queue; this one has a column action');
  }
  if (saysWho && !yaml && !exact && !addOnly && !removeOnly) {
    throw usageError(
      'the list has no column action, so it says who is in the queues',
      'say what of the difference to make: --exact, --add-only or --remove-only',
    );
  }
}

/** Which part of the difference is made. */
export function modeOf({ addOnly, removeOnly }: WishOptions): PlanMode {
  if (addOnly) return 'add-only';
  return removeOnly ? 'remove-only' : 'both';
}
