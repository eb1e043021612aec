export { Directory } from './directory.ts';
export { openDirectory } from './open.ts';
export { extensionIds, extensionNames } from './extension-ids.ts';
