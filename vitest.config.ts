import { defineConfig } from 'vitest/config';
import { testLimit } from './test/support/limits.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/processor-time.ts'],
    testTimeout: testLimit,
    hookTimeout: testLimit,
    // A thread that ends while SQLite's native code answers it takes all others down.
    pool: 'forks',
    maxWorkers: 2,
  },
});
