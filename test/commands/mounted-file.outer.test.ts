import { describe, expect, it } from 'vitest';
import { noSmallDisk, onSmallDisk } from '../support/small-disk.ts';

const ucctl = 'ucctl() { "$NODE" bin/ucctl.cjs "$@" 2>&1; }';

describe.skipIf(noSmallDisk !== undefined)(
  `a file that is mounted alone, as in a container${noSmallDisk ? `: ${noSmallDisk}` : ''}`,
  () => {
    it('gets the content of an output file, also on a disk that is otherwise read-only', async () => {
      const lines = await onSmallDisk(8, [
        ucctl,
        'mkdir $DISK/work $DISK/fixed',
        'mount -t tmpfs -o size=1m tmpfs $DISK/fixed',
        'for folder in work fixed; do',
        '  echo old > $DISK/$folder.html; touch $DISK/$folder/report.html',
        '  mount --bind $DISK/$folder.html $DISK/$folder/report.html',
        'done',
        'mount -o remount,ro $DISK/fixed',
        "ucctl sandbox exec -- sh -c '",
        '  ucctl() { "$NODE" bin/ucctl.cjs "$@" -q; }',
        '  ucctl login --flow password --username "$UCCTL_SANDBOX_USERNAME" --store file',
        '  ucctl calllog stats --report $DISK/work/report.html',
        '  ucctl calllog stats --report $DISK/fixed/report.html',
        "' | grep ^error",
        'head -c 15 $DISK/work.html; echo; ls -A $DISK/work',
        'head -c 15 $DISK/fixed.html; echo; ls -A $DISK/fixed',
      ]);
      expect(lines).toEqual(['<!doctype html>', 'report.html', '<!doctype html>', 'report.html']);
    });

    it('is changed by completion uninstall; after a failure, the script remains', async () => {
      const lines = await onSmallDisk(8, [
        ucctl,
        'echo "# mine" > $DISK/rc; touch $DISK/.bashrc; mount --bind $DISK/rc $DISK/.bashrc',
        'ucctl completion install bash -q | grep ^error',
        'wc -l < $DISK/rc',
        'mount -o remount,bind,ro $DISK/.bashrc',
        'ucctl completion uninstall bash -q | grep ^error',
        "find $DISK -name 'ucctl.bash' | wc -l",
        'mount -o remount,bind,rw $DISK/.bashrc',
        'ucctl completion uninstall bash -q | grep ^error',
        'cat $DISK/rc',
        "find $DISK -name 'ucctl.bash' -o -name '*.tmp'",
      ]);
      expect(lines).toEqual(['3', 'error: cannot write DISK/.bashrc: the disk is read-only', '1', '# mine']);
    });
  },
);
