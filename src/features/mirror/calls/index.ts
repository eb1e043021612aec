export { ForeignCallsError } from './schema.ts';
export { SqliteCalls } from './sqlite-calls.ts';
export {
  type CallChanges,
  type CallSyncReport,
  type CallSyncSource,
  OtherCallLogError,
  syncCalls,
} from './sync-calls.ts';
