export { ambiguous, Directory } from './directory.ts';
export { indexNames, matches, type FindableExtension, type NameIndex } from './match.ts';
export { findNameProblems } from './name-problems.ts';
export { namedQueues } from './named-queues.ts';
export { presentTitle } from './present-title.ts';
export { protectedAgents, protectedOwners } from './protected.ts';
export { extensionIdOf, openDirectory, withPlanned } from './open.ts';
export { extensionIds, watchedExtensions } from './extension-ids.ts';
export { hasMailbox } from './has-mailbox.ts';
