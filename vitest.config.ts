import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A thread that ends while SQLite's native code answers it takes all others down.
    pool: 'forks',
    maxWorkers: 2,
  },
});
