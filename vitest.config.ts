import { defineConfig } from 'vitest/config';
import { testLimit } from './test/support/limits.ts';
import { LongestFirst } from './test/support/sequencer.ts';
import { strippedFiles, strippedSource } from './test/support/stripped-source.ts';

/**
 * Node 20 optimizes a function only after 15 times as much work, because most functions of a test run seldom
 * (docs/adr/0120-late-optimization-in-tests.md). The V8 of Node 24 does not have the option.
 */
const lateOptimization = process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : [];

export default defineConfig({
  plugins: [strippedSource()],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/processor-time.ts', 'test/support/file-rules.ts'],
    // A thread that ends while SQLite's native code answers it takes all others down.
    pool: 'forks',
    // Modules are loaded once for a worker, not once for a file: that was a third of the time of the suite.
    isolate: false,
    execArgv: lateOptimization,
    // A worker copies the tables of its pages for each process that it starts (docs/adr/0136-huge-pages-in-tests.md).
    env: { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' },
    // Twice as many as most machines of CI have cores: tests wait for processes and for time half of their time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    testTimeout: testLimit,
    hookTimeout: testLimit,
    server: { deps: { external: [strippedFiles] } },
  },
});
