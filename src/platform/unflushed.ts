/** A folder that the disk did not flush, so that new names in it may be lost after a power failure. */
export interface Unflushed {
  readonly folder: string;
  readonly error: unknown;
}

const found: Unflushed[] = [];

/** Records a folder that could not be flushed. The files in it are written, so this is not an error of the command. */
export function recordUnflushed(unflushed: Unflushed): void {
  if (!found.some(({ folder }) => folder === unflushed.folder)) found.push(unflushed);
}

/** Returns the recorded folders once, for warnings. */
export function takeUnflushed(): readonly Unflushed[] {
  return found.splice(0);
}
