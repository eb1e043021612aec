import { describe, expect, it } from 'vitest';
import { noSmallDisk, onSmallDisk } from '../../support/small-disk.ts';

describe.skipIf(noSmallDisk !== undefined)(`a read-only disk${noSmallDisk ? `: ${noSmallDisk}` : ''}`, () => {
  it('is reported, and does not prevent the check of the databases', async () => {
    const lines = await onSmallDisk(8, [
      'ucctl() { "$NODE" bin/ucctl.cjs "$@" --base-url http://127.0.0.1:9 2>&1; }',
      `echo '{"event":"/x"}' | ucctl events import - >/dev/null`,
      'mount -o remount,bind,ro $DISK',
      String.raw`ucctl doctor -o tsv | grep -e ^folders -e ^databases | cut -f 1-3`,
      'mount -o remount,bind,rw $DISK',
      'for file in $(find $DISK -name default.db); do dd if=/dev/zero of=$file bs=1k seek=8 count=8 conv=notrunc 2>/dev/null; done',
      'mount -o remount,bind,ro $DISK',
      'ucctl doctor -o tsv | grep ^databases | cut -f 1-2',
    ]);
    expect(lines).toEqual([
      expect.stringMatching(/^folders\twarn\tucctl cannot write to .* \(the disk is read-only\)/),
      expect.stringMatching(/^databases\tok\t\d+ checked, no damage found/),
      'databases\tfail',
    ]);
  });
});
