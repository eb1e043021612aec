import { deepStrictEqual } from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';
import { afterAll } from 'vitest';

// Set up for every inner test file: such a file shares its process with others and must not start processes.
const started: string[] = [];
const note = (message: unknown): void => {
  const { spawnfile } = (message as { readonly process: ChildProcess }).process;
  // Node announces a new process before it starts the program.
  started.push(spawnfile ?? 'a program');
};
subscribe('child_process', note);
const [env, cwd] = [{ ...process.env }, process.cwd()];

afterAll(() => {
  unsubscribe('child_process', note);
  if (started.length > 0) throw new Error(`this file starts ${started.join(', ')}: name it *.outer.test.ts`);
  deepStrictEqual(
    [{ ...process.env }, process.cwd()],
    [env, cwd],
    'this file changed the environment or the working folder',
  );
});
