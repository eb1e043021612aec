export { copyIntoStore, type CopyLine } from './copy-from.ts';
export { openStoreArchive } from './open.ts';
