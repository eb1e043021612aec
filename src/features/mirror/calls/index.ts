export { ForeignCallsError } from './schema.ts';
export { SqliteCalls } from './sqlite-calls.ts';
export {
  callLogBeginning,
  type CallChanges,
  type CallSyncReport,
  type CallSyncSource,
  OtherCallLogError,
  syncCalls,
} from './sync-calls.ts';
