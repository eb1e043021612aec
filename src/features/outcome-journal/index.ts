export { batchPrefix, describeCall, textDigest } from './describe-call.ts';
export { OutcomeJournal, type Owner } from './journal.ts';
export type { Outcome, OutcomeState } from './outcome.ts';
export { createRecorder } from './recorder.ts';
export { skewOf } from './lookup.ts';
export { openSendJournal } from './open-journal.ts';
export type { SendJournal } from './send-journal.ts';
export { resolveOutcomes } from './resolve.ts';
export type { Resolution } from './resolution.ts';
