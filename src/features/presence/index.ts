export { updateConfirmed } from './confirm.ts';
export { readPresenceList, type ListedRequest } from './list.ts';
export { withQueueCalls } from './queue-calls.ts';
export {
  invertPresenceRun,
  presenceKind,
  presenceWork,
  presenceSends,
  sameFields,
  type PresenceRunDetail,
  type PresencePayload,
  type SkippedPerson,
} from './run.ts';
export { givenFields, updateFor, requestProblem, type PresenceRequest } from './update.ts';
