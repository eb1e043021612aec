import { readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addToManifest } from '../../../src/features/download/index.ts';
import { pathLock } from '../../../src/platform/path-lock.ts';
import { withProcessLock } from '../../../src/platform/process-lock.ts';
import type { RunResult } from '../../support/run-ucctl.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

describe('two downloads at the same time', () => {
  it('waits for a download into the same folder under another name', async () => {
    const { run, sandbox } = await openOffice('102');
    await sandbox.control('POST', '/triggers/voicemail', { to: '102', seconds: 3 });
    const folder = realpathSync(temporaryFolder());
    const link = join(temporaryFolder(), 'link');
    symlinkSync(folder, link);
    const paths = temporaryPaths();
    let second: Promise<RunResult> | undefined;
    await withProcessLock(pathLock(paths.state, 'download', folder), {}, async () => {
      const first = await new Promise<unknown>((resolve) => {
        second = run(`download --voicemail --since 365d --dir ${link}`, { paths, onStderr: resolve });
        void second.then(resolve);
      });
      expect(first).toContain(`another download is using ${folder} (process ${process.pid}, since`);
    });
    expect((await second)?.exit).toBe(0);
  });

  it('keeps the checksums of all downloads that use one checksum file', async () => {
    const [folder, state] = [temporaryFolder(), temporaryFolder()];
    const manifest = join(folder, 'sums');
    const link = join(folder, 'link');
    symlinkSync('sums', link);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(
      names.map((name, index) => {
        const sums = new Map([[join(folder, name), name.repeat(64)]]);
        return addToManifest(index % 2 === 0 ? manifest : link, sums, state);
      }),
    );
    expect(readFileSync(manifest, 'utf8')).toBe(
      names.map((name) => `${name.repeat(64)}  ${name}\n`).join(''),
    );
  });
});
