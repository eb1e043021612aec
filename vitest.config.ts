import { defineConfig } from 'vitest/config';
import { testLimit } from './test/support/limits.ts';
import { ProjectSequencer } from './test/support/sequencer.ts';
import { strippedFiles, strippedSource } from './test/support/stripped-source.ts';

const outer = 'test/**/*.outer.test.ts';

const common = {
  // A thread that ends while SQLite's native code answers it takes all others down.
  pool: 'forks' as const,
  // Modules are loaded once for a worker, not once for a file: that was a third of the time of the suite.
  isolate: false,
  testTimeout: testLimit,
  hookTimeout: testLimit,
  server: { deps: { external: [strippedFiles] } },
};

export default defineConfig({
  test: {
    // Here, where projects do not inherit it: each of them would make a folder for the run.
    globalSetup: ['test/support/global-setup.ts'],
    // One more than most machines of CI have cores: tests that start processes wait for half of their time.
    maxWorkers: 3,
    sequence: { sequencer: ProjectSequencer },
    projects: [
      {
        // What starts processes: the built program, browsers, keychains, npm.
        plugins: [strippedSource()],
        test: { ...common, name: 'outer', include: [outer], setupFiles: ['test/support/processor-time.ts'] },
      },
      {
        plugins: [strippedSource()],
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
