import type { Routes } from '../request/call.ts';
import { listAccountActiveCalls, listActiveCalls } from './active-call-routes.ts';
import {
  listAccountCallLog,
  listCallLog,
  readAccountCallLogRecord,
  readCallLogRecord,
} from './call-log-routes.ts';
import { readRecording, readRecordingContent } from './recording-routes.ts';
import { syncCallLog } from './call-log-sync.ts';
import { cancelRingOut, readRingOut, startRingOut } from './ringout-routes.ts';

/** Two-legged calls, the call log, active calls and recordings. */
export const callRoutes = {
  startRingOut,
  readRingOut,
  cancelRingOut,
  listAccountCallLog,
  readAccountCallLogRecord,
  listCallLog,
  readCallLogRecord,
  syncCallLog,
  listAccountActiveCalls,
  listActiveCalls,
  readRecording,
  readRecordingContent,
} satisfies Routes;
