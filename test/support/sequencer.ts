import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files whose time is mostly that of their imports, which their size does not show: they run first when there are no
 * times of an earlier run.
 */
const large = /\/test\/(matrix|proofs)\//;

/**
 * Sorts outer files before inner ones, so that processes which they wait for run concurrently with others; the
 * longest first. The files of a project stay together, because a worker is shared only between files of one project.
 */
export class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ project, moduleId }: TestSpecification): number =>
      (project.name === 'outer' ? 0 : 2) + (large.test(moduleId) ? 0 : 1);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
