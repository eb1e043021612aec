export { copyIntoStore } from './copy-from.ts';
export { openStoreArchive } from './open.ts';
