import { defineConfig } from 'vitest/config';
import { testLimit } from './test/support/limits.ts';
import { ProjectSequencer } from './test/support/sequencer.ts';

const outer = 'test/**/*.outer.test.ts';

const common = {
  // A thread that ends while SQLite's native code answers it takes all others down.
  pool: 'forks' as const,
  // Modules are loaded once for a worker, not once for a file: that was a third of the time of the suite.
  isolate: false,
  testTimeout: testLimit,
  hookTimeout: testLimit,
};

export default defineConfig({
  test: {
    // Here, where projects do not inherit it: each of them would make a folder for the run.
    globalSetup: ['test/support/global-setup.ts'],
    maxWorkers: 2,
    sequence: { sequencer: ProjectSequencer },
    projects: [
      {
        // What starts processes: the built program, browsers, keychains, npm.
        test: { ...common, name: 'outer', include: [outer], setupFiles: ['test/support/processor-time.ts'] },
      },
      {
        test: {
          ...common,
          name: 'inner',
          include: ['test/**/*.test.ts'],
          exclude: [outer],
          setupFiles: ['test/support/processor-time.ts', 'test/support/inner.ts'],
        },
      },
    ],
  },
});
