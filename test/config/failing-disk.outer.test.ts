import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noSmallDisk, onSmallDisk } from '../support/small-disk.ts';

const program = resolve('bin/ucctl.cjs');

describe.skipIf(noSmallDisk !== undefined)('a file that the disk fails to read', () => {
  it.each([
    ['config.json', 'config list', 'the config file'],
    ['sessions/default.json', 'queue list --base-url http://127.0.0.1:9 --store file', 'the session file'],
  ])('%s has the reason and the next step', async (name, command, what) => {
    const lines = await onSmallDisk(4, [
      'umask 077; mkdir -p $DISK/c/sessions; touch $DISK/c/' + name,
      // Reading the memory of a process at address 0 fails with EIO.
      `mount --bind /proc/$$/mem $DISK/c/${name}`,
      `UCCTL_CONFIG_DIR=$DISK/c "$NODE" '${program}' ${command} 2>&1; echo "exit $?"`,
    ]);
    expect(lines).toEqual([
      `error: cannot read ${what} DISK/c/${name}`,
      '  the disk failed to read or write',
      '  try:     check the disk for errors',
      'exit 12',
    ]);
  });
});
