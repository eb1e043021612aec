export { readAssignments } from './csv.ts';
export type { ComputedPlan } from './computed-plan.ts';
export {
  defaultRemovals,
  guardPlan,
  stricterGuards,
  type Guard,
  type PlanLimits,
  type RemovalLimit,
} from './guards.ts';
export { changedQueues, memberChangesOf, type MemberChanges } from './membership.ts';
export { queuesOf } from './queues-of.ts';
export { readMembershipWithProgress } from './read-membership.ts';
export {
  groupByQueue,
  neededChanges,
  planAssignments,
  toBulkAssign,
  type Membership,
  type Plan,
  type PlanMode,
  type PlannedChange,
} from './plan.ts';
export {
  looksLikePlan,
  readPlan,
  toPlanDocument,
  writePlan,
  type PlanDocument,
  type SavedPlan,
} from './plan-file.ts';
export { fromFlags, type QueueLabel, type ReadResult, type SkippedRequest } from './request.ts';
export { resolveRequests, type Names, type ResolveResult } from './resolve.ts';
export {
  assignmentKind,
  assignmentSends,
  assignmentWork,
  changeKey,
  countRequests,
  invertRun,
  journalPlan,
  remainingPlan,
  unchangedOf,
  type AssignmentDetail,
  type AssignmentPayload,
} from './run.ts';
export { readDesiredState } from './yaml.ts';
