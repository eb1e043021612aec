import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { startProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Runs ucctl on a Node that reports another version. */
async function runOn(version: string): Promise<readonly [exit: number | null, text: string]> {
  const folder = temporaryFolder();
  const preload = join(folder, 'version.cjs');
  const versions = `{ ...process.versions, node: ${JSON.stringify(version)} }`;
  writeFileSync(preload, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
  const args = ['--require', preload, 'bin/ucctl.cjs', 'config', 'get', 'timeout'];
  const { exit, stdout, stderr } = await startProcess(execPath, args, { env: { HOME: folder } }).ended;
  return [exit, stdout + stderr];
}

it.each(['18.19.0', '20.18.3', '21.7.3', '22.0.0', '22.11.0'])(
  'Node %s is rejected with the versions that ucctl needs',
  async (version) => {
    const needed = packageJson.engines.node.replaceAll(/[\^>=]/g, '').replace(' ||', ', or');
    expect(await runOn(version)).toEqual([
      12,
      expect.stringContaining(`error: ucctl needs Node ${needed} or later; this is Node ${version}`),
    ]);
  },
);

it.each(['20.19.0', '22.12.0', '23.0.0'])('Node %s is accepted', async (version) => {
  expect(await runOn(version)).toEqual([0, expect.stringContaining('30')]);
});
