export { readAssignments } from './csv.ts';
export { verifyPlan, type AssignmentOutcome, type AssignmentStatus } from './outcome.ts';
export {
  groupByQueue,
  planAssignments,
  titleOf,
  toBulkAssign,
  type Membership,
  type Plan,
  type PlannedChange,
} from './plan.ts';
export { fromFlags, type AssignmentRequest } from './request.ts';
export { resolveRequests, type ResolveResult } from './resolve.ts';
