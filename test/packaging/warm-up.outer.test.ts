import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fetchNode } from '../../scripts/release/executable.ts';
import { environmentWithPassword } from '../../src/commands/sandbox/environment.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { releaseMissing } from '../support/executable.ts';
import { startProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Returns the files of a folder with their content, by path. */
function contentOf(folder: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(folder, file), readFileSync(file, 'base64')]),
  );
}

it('a slow service does not change the code that the warm-up compiles', async ({ skip }) => {
  const missing = releaseMissing();
  if (missing !== undefined) skip(missing);
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox.close());
  const compile = async (): Promise<ReadonlyMap<string, string>> => {
    const compiled = temporaryFolder();
    const own = environmentWithPassword(sandbox.ready) as Readonly<Record<string, string>>;
    const env = { HOME: temporaryFolder(), UCCTL_STORE: 'file', ...own };
    const args = ['scripts/release/executable/warm-up.cjs', '.', compiled];
    expect(await startProcess(fetchNode(), args, { env }).ended).toMatchObject({ exit: 0, stderr: '' });
    return contentOf(compiled);
  };
  const quick = await compile();
  expect(quick.size).toBeGreaterThan(20);
  // Longer than the interval of undici's timers.
  await sandbox.control('POST', '/faults', { kind: 'latency', milliseconds: 1100 });
  const slow = await compile();
  const paths = new Set([...quick.keys(), ...slow.keys()]);
  expect([...paths].filter((path) => quick.get(path) !== slow.get(path))).toEqual([]);
});
