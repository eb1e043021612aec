import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Folders of files that take long for their size: the programs, pages and imports that they wait for are not in them.
 * Proofs add network namespaces, and each of them makes Chromium end all requests (ERR_NETWORK_CHANGED). Tests with
 * Chromium therefore begin when the proofs have ended.
 */
const long = ['proofs', 'matrix', 'docs', 'console'];

/**
 * Sorts the longest files first, so that no worker runs one of them while the others have nothing left to do. Without
 * the times of an earlier run, as after a clone, Vitest sorts by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = long.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
      return found < 0 ? long.length : found;
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
