export { Directory } from './directory.ts';
export { extensionIdOf, openDirectory } from './open.ts';
export { extensionIds, extensionNames } from './extension-ids.ts';
