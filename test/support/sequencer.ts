import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long for their size: the programs, pages and imports that they wait for are not in them. */
const long = /\/test\/(proofs|docs|console|matrix)\//;

/**
 * Sorts the longest files first, so that no worker runs one of them while the others have nothing left to do. Without
 * the times of an earlier run, as after a clone, Vitest sorts by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => (long.test(moduleId) ? 0 : 1);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
