export { openFleet } from './open.ts';
export { addSession, enrolledSessions, removeSession } from './sessions.ts';
export { budgetState, fleetState, type FleetState } from './state.ts';
export { PermanentTaskError } from './task-errors.ts';
export {
  applyMarks,
  changeReport,
  enroll,
  markChanged,
  pauseTasks,
  reportChanged,
  resumeTasks,
  retryTasks,
  taskKinds,
  unenroll,
  type ClaimedTask,
  type NewTask,
  type TaskKind,
  type TaskSelection,
} from './tasks.ts';
export { FleetWorker, type TaskEnd, type TaskWork } from './worker.ts';
export { drainWorkers } from './workers.ts';
