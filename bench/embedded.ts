import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { cleanEnvironment, resultOf } from './measure.ts';
import type { Result } from './report.ts';
import { scaled } from './scaled.ts';

const rounds = scaled(5, 2);
const sandboxes = scaled(20, 4);

interface Measured {
  /** Milliseconds. */
  readonly first: number;
  readonly further: readonly number[];
  /** Memory of each further sandbox. */
  readonly megabytes: number;
}

/** `startSandbox()` in a process that imports the library, as a test file does. */
export function embedded(): Promise<readonly Result[]> {
  const runs = Array.from({ length: rounds }, measure);
  return Promise.resolve([
    resultOf(
      'startSandbox(), first, with the import of the library',
      runs.map(({ first }) => first),
      400,
      'at most',
      ' ms',
    ),
    resultOf(
      'startSandbox(), each further one',
      runs.flatMap(({ further }) => further),
      15,
      'at most',
      ' ms',
    ),
    resultOf(
      'startSandbox(), memory of each further one',
      runs.map(({ megabytes }) => megabytes),
      3,
      'at most',
      ' MB',
    ),
  ]);
}

function measure(): Measured {
  const program = [
    '--expose-gc',
    'bench/embedded-sandbox.mjs',
    resolve('dist/lib/sandbox.js'),
    String(sandboxes),
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    encoding: 'utf8',
    env: cleanEnvironment(),
  });
  if (status !== 0) throw new Error(`bench: startSandbox() failed: ${stderr.slice(-500)}`);
  return JSON.parse(stdout) as Measured;
}
