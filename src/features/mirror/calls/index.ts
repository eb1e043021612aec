export { ForeignCallsError } from './schema.ts';
export { SqliteCalls } from './sqlite-calls.ts';
export { OtherCallLogError, syncCalls, type CallSyncReport } from './sync-calls.ts';
