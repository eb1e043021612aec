export { updateConfirmed } from './confirm.ts';
export { readPresenceList, type ListedWish } from './list.ts';
export { withQueueCalls } from './queue-calls.ts';
export {
  invertPresenceRun,
  presenceKind,
  presenceWork,
  presenceSends,
  sameFields,
  type PresenceDetail,
  type PresencePayload,
  type RefusedPerson,
} from './run.ts';
export { givenFields, updateFor, wishProblem, type PresenceWish } from './update.ts';
