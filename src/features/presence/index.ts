export { readKnownPresences } from './read-known.ts';
export {
  availabilityChanges,
  hasAvailability,
  hasNewCallHandling,
  newCallHandlingNote,
  setQueuesConfirmed,
  type QueueSwitch,
} from './availability.ts';
export { SignedOutReader, type SignedOut } from './signed-out.ts';
export { recordedChange, type SingleChange } from './record-change.ts';
export { presenceDrift } from './drift.ts';
export { updateConfirmed } from './confirm.ts';
export { readPresenceList, type ListedRequest } from './list.ts';
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
