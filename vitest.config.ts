import { defineConfig } from 'vitest/config';
import { testLimit } from './test/support/limits.ts';
import { ProjectSequencer } from './test/support/sequencer.ts';
import { strippedFiles, strippedSource } from './test/support/stripped-source.ts';

const outer = 'test/**/*.outer.test.ts';

/**
 * Node 20 optimizes a function only after 15 times as much work, because most functions of a test run seldom
 * (docs/adr/0120-late-optimization-in-tests.md). The V8 of Node 24 does not have the option.
 */
const lateOptimization = process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : [];

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
          execArgv: lateOptimization,
          include: ['test/**/*.test.ts'],
          exclude: [outer],
          setupFiles: ['test/support/processor-time.ts', 'test/support/inner.ts'],
        },
      },
    ],
  },
});
