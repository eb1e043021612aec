import { ownProcess } from './own-process.ts';
import { entryAt } from './entry-at.ts';

/** A write of SQLite is at most a page of 64 KiB with its header, so a file that reached the limit has nearly its size. */
const longestWriteBytes = 2 * 65_536;

/** Whether the next write to one of these files may exceed the file size limit of this process (`ulimit -f`). */
export function isFileSizeLimited(files: readonly string[]): boolean {
  const limit = ownProcess.fileSizeLimit();
  if (limit === undefined) return false;
  const sizes = files.map((file) => entryAt(file)?.size ?? 0);
  return Math.max(...sizes) + longestWriteBytes > limit;
}
