import { spawnSync } from 'node:child_process';
import { startProcess } from './process.ts';
import { unlessRequired } from './required.ts';
import { temporaryFolder } from './temporary.ts';

/** The reason why tests cannot have a file system of their own, seen by one process alone, which needs namespaces. */
export const noSmallDisk = unlessRequired(
  'tmpfs',
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status === 0
    ? undefined
    : 'no small file system can be made here',
);

/**
 * Runs shell lines on a disk of some megabytes at `$DISK`, which is also the home folder. `$NODE` is Node.
 * @returns the lines of the output, with `DISK` in place of the path of the disk
 */
export async function onSmallDisk(
  megabytes: number,
  lines: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const disk = temporaryFolder();
  const script = [`mount -t tmpfs -o size=${megabytes}m tmpfs ${disk}`, ...lines].join('\n');
  const { stdout } = await startProcess('unshare', ['-rm', 'sh', '-c', script], {
    env: { HOME: disk, NODE: process.execPath, DISK: disk, PATH: process.env['PATH'] ?? '', ...env },
  }).ended;
  return stdout.replaceAll(disk, 'DISK').trimEnd().split('\n');
}
