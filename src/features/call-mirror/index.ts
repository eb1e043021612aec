export { callsOf, eraseCalls } from './erase-calls.ts';
export { knownExtensions, saveExtensions } from './extensions.ts';
export { localCalls } from './local-calls.ts';
export { ForeignCallsError, hasCalls } from './schema.ts';
export { readStream } from './stream.ts';
export { OtherCallLogError, syncCalls, type CallSyncReport } from './sync-calls.ts';
