import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { runUcctl } from '../../support/run-ucctl.ts';
import { temporaryPaths } from '../../support/temporary.ts';

test.each(['', ' --ready-file missing.json'])(
  'a script with set -e stops if sandbox env%s finds no sandbox',
  async (flags) => {
    const { exit, stdout } = await runUcctl(`sandbox env${flags}`, { paths: temporaryPaths() });
    const script = `set -eu; eval "${stdout}"; echo goes on`;
    expect(exit).not.toBe(0);
    expect(() => execFileSync('sh', ['-c', script], { stdio: 'pipe' })).toThrow('Command failed');
    expect(execFileSync('sh', ['-c', 'set -eu; eval ""; echo goes on'], { encoding: 'utf8' })).toBe(
      'goes on\n',
    );
  },
);

test('sandbox env -o json prints nothing to stdout if it finds no sandbox', async () => {
  expect(await runUcctl('sandbox env -o json', { paths: temporaryPaths() })).toMatchObject({ stdout: '' });
});
