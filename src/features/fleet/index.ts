export { applyMarks, changeReport, markChanged, reportChanged } from './changed-tasks.ts';
export type { ClaimedTask } from './claims.ts';
export { shortestInterval } from './feasible-interval.ts';
export {
  forgetRejections,
  rejectionOwnerOfToken,
  rejectionsOfSessions,
  resumeTasks,
  type RejectionSummary,
} from './rejections.ts';
export { SessionPool } from './session-pool.ts';
export { addSession, enrolledSessions, removeSession } from './sessions.ts';
export { signInLosses, type SignInLoss } from './sign-in-losses.ts';
export { budgetState, fleetState, type FleetState } from './state.ts';
export { OtherAccountSessionError, PermanentTaskError, UnsuitableSessionError } from './task-errors.ts';
export {
  enroll,
  pauseTasks,
  retryTasks,
  subjectsNamed,
  taskKinds,
  unenroll,
  type NewTask,
  type TaskKind,
  type TaskSelection,
} from './tasks.ts';
export { FleetWorker } from './worker.ts';
export type { FleetWorkerSettings, TaskEnd, TaskWork } from './worker-settings.ts';
export { drainWorkers } from './workers.ts';
