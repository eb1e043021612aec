export { Directory } from './directory.ts';
export { lostNames } from './lost-names.ts';
export { namedQueues } from './named-queues.ts';
export { protectedAgents } from './protected.ts';
export { extensionIdOf, openDirectory } from './open.ts';
export { extensionIds, extensionNames } from './extension-ids.ts';
