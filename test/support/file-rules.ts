import { deepStrictEqual } from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';
import { afterAll } from 'vitest';

// Set up for every test file: files share their process with others, and only outer files start processes.
const started: string[] = [];
const note = (message: unknown): void => {
  const { spawnfile } = (message as { readonly process: ChildProcess }).process;
  // Node announces a new process before it starts the program.
  started.push(spawnfile ?? 'a program');
};
subscribe('child_process', note);
const [env, cwd] = [{ ...process.env }, process.cwd()];

// oxlint-disable-next-line no-empty-pattern -- Vitest reads from this pattern which fixtures a hook wants; it wants none.
afterAll(({}, { file }) => {
  unsubscribe('child_process', note);
  if (started.length > 0 && !file.name.endsWith('.outer.test.ts'))
    throw new Error(`this file starts ${started.join(', ')}: name it *.outer.test.ts`);
  deepStrictEqual(
    [{ ...process.env }, process.cwd()],
    [env, cwd],
    'this file changed the environment or the working folder',
  );
});
