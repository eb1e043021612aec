import { readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Largest number of links to follow, as on Linux. */
const mostLinks = 40;

/** Follows symbolic links to a file, which need not exist. */
export function linkTarget(file: string): string {
  let target = file;
  try {
    for (let links = 0; links < mostLinks; links += 1) {
      target = resolve(realpathSync(dirname(target)), readlinkSync(target));
    }
  } catch {
    // The target is not a link.
  }
  return target;
}
