export { readAssignments } from './csv.ts';
export { defaultMaxRemovals, guardPlan } from './guards.ts';
export { movedQueues, movesOf, type Moves } from './membership.ts';
export { readMembershipTold } from './read-told.ts';
export {
  groupByQueue,
  neededChanges,
  planAssignments,
  titleOf,
  toBulkAssign,
  type Membership,
  type Plan,
  type PlanMode,
  type PlannedChange,
} from './plan.ts';
export {
  looksLikePlan,
  planOf,
  readPlan,
  toPlanDocument,
  writePlan,
  type PlanDocument,
} from './plan-file.ts';
export { fromFlags, type ReadResult, type RefusedWish } from './request.ts';
export { resolveRequests, type ResolveResult } from './resolve.ts';
export {
  assignmentKind,
  assignmentSends,
  assignmentWork,
  countRequests,
  invertRun,
  journalPlan,
  unchangedOf,
  type AssignmentDetail,
  type AssignmentPayload,
} from './run.ts';
export { readWantedState } from './yaml.ts';
