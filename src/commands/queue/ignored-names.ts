import type { QueueLabel } from '../../features/assignment/index.ts';
import type { Directory } from '../../features/directory/index.ts';
import { ucctl, nextStep, type Hint } from '../../errors/hint.ts';
import { titleOf } from '../../runtime/with-number.ts';

/**
 * Returns a warning for each name of a file that is neither the present name of its queue, alone or with the number as
 * `account export` writes it, nor the name that the settings set. A user who edits this name expects that the queue is renamed. Queues that are not found are skipped.
 */
export async function ignoredNames(
  directory: Directory,
  labels: readonly QueueLabel[],
): Promise<readonly Hint[]> {
  const warnings: Hint[] = [];
  for (const { queue: text, label, newName, place } of labels) {
    const { found: queue } = await directory.queue(text);
    if (!queue) continue;
    const known = [queue.name, titleOf(queue), newName];
    if (known.some((name) => name !== undefined && isSame(name, label))) continue;
    warnings.push(
      nextStep`${place.file}:${place.line}: the name "${label}" does not match queue ${titleOf(queue)}, and ucctl ignores it; to rename the queue, change "name:" below "settings:" (${ucctl('queue export --settings')})`,
    );
  }
  return warnings;
}

function isSame(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
