import { realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withProcessLock } from '../../../src/platform/process-lock.ts';
import type { RunResult } from '../../support/run-ucctl.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

describe('sync into a symbolic link to a copy', () => {
  it('waits for a sync into the copy itself', async () => {
    const office = await openOffice('102');
    const folder = realpathSync(temporaryFolder());
    const file = join(folder, 'copy.sqlite');
    const link = join(folder, 'link.sqlite');
    symlinkSync('copy.sqlite', link);
    let second: Promise<RunResult> | undefined;
    await withProcessLock(`${file}.lock`, {}, async () => {
      const first = await new Promise<unknown>((resolve) => {
        second = office.run(['sync', '--database', link], { onStderr: resolve });
        void second.then(resolve);
      });
      expect(first).toContain(`another sync is using ${link} (process ${process.pid}, since`);
    });
    expect((await second)?.exit).toBe(0);
  });
});
