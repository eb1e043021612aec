import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { sinkOf } from '../../src/cli/standard-streams.ts';
import type { Context } from '../../src/runtime/context.ts';
import { exampleNoun } from '../support/example-noun.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** An output of a device or file whose writes fail with EIO. */
function failingOutput(path: string) {
  const fd = openSync(path, 'w');
  onTestFinished(() => closeSync(fd));
  const error = Object.assign(new Error('write EIO'), { code: 'EIO', syscall: 'write' });
  const stream = Object.assign(new Writable({ write: (_text, _encoding, done) => done(error) }), { fd });
  return sinkOf(() => stream as unknown as typeof process.stdout);
}

/** Runs a command that makes a change, and writes two results. */
function runWith(output: ReturnType<typeof failingOutput>) {
  const work = async ({ out }: Context) => {
    await out.record({ id: 1 }, { columns: [] });
    await out.record({ id: 2 }, { columns: [] });
  };
  return runUcctl('book put 1 -o json', {
    nouns: [exampleNoun({ work })],
    onStdout: (text) => output.write(text),
  });
}

it('ends normally if the terminal was closed, as for a closed pipe', async () => {
  const terminal = failingOutput('/dev/null');
  expect(await runWith(terminal)).toMatchObject({ exit: 0, stderr: '' });
  // The stream has failed meanwhile.
  await expect(terminal.write('later')).rejects.toMatchObject({ code: 'EPIPE' });
});

it('reports a disk that fails', async () => {
  const { exit, stderr } = await runWith(failingOutput(join(temporaryFolder(), 'results')));
  expect([exit, stderr]).toEqual([14, expect.stringContaining('the disk failed to read or write')]);
});
