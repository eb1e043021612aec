import { defineConfig } from 'vitest/config';
import { testLimit } from './test/support/limits.ts';
import { ProjectSequencer } from './test/support/sequencer.ts';

const outer = 'test/**/*.outer.test.ts';

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // A thread that ends while SQLite's native code answers it takes all others down.
    pool: 'forks',
    maxWorkers: 2,
    // Modules are loaded once for a worker, not once for a file: half the time of the suite was that.
    isolate: false,
    testTimeout: testLimit,
    hookTimeout: testLimit,
    sequence: { sequencer: ProjectSequencer },
    projects: [
      // What starts processes: the built program, browsers, keychains, npm.
      {
        extends: true,
        test: { name: 'outer', include: [outer], setupFiles: ['test/support/processor-time.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'inner',
          include: ['test/**/*.test.ts'],
          exclude: [outer],
          setupFiles: ['test/support/processor-time.ts', 'test/support/inner.ts'],
        },
      },
    ],
  },
});
