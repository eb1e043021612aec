import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';
import { afterAll, expect } from 'vitest';

// Set up for every inner test file: it shares its process with others and starts none itself.
const started: string[] = [];
const note = (message: unknown): void => {
  const { spawnfile } = (message as { readonly process: ChildProcess }).process;
  // An own process starts its program only after it is announced.
  started.push(spawnfile ?? 'a program');
};
subscribe('child_process', note);
const [env, cwd] = [{ ...process.env }, process.cwd()];

afterAll(() => {
  unsubscribe('child_process', note);
  expect(started, 'a test file that starts processes must be named *.outer.test.ts').toEqual([]);
  expect([process.env, process.cwd()], 'a test file must leave environment and folder as they were').toEqual([
    env,
    cwd,
  ]);
});
