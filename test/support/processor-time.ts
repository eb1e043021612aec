import { afterAll } from 'vitest';
import { processorSeconds } from './processor-seconds.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time in seconds that a test file took, including the processes that it started. */
    processorSeconds?: number;
  }
}

/**
 * The processor time of this worker at the end of its last test file. Undefined before its first file, which
 * therefore includes the start of the worker.
 */
const worker = globalThis as { processorSecondsBefore?: number };

// Hooks end in reverse order, so the hook of a setup file is the last one of its test file.
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from this pattern which fixtures a hook wants; it wants none.
afterAll(({}, { file }) => {
  const now = processorSeconds();
  file.meta.processorSeconds = now - (worker.processorSecondsBefore ?? 0);
  worker.processorSecondsBefore = now;
});
