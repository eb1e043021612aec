import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files whose time lies in what they import, which their size does not show: without times of an earlier run they come first. */
const large = /\/test\/(matrix|proofs)\//;

/**
 * Outer files before inner ones, so that the processes which those wait for run beside others to the end; the longest first. The files of a
 * project stay together: a worker is shared only while the next file is of its project.
 */
export class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ project, moduleId }: TestSpecification): number =>
      (project.name === 'outer' ? 0 : 2) + (large.test(moduleId) ? 0 : 1);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
