import { listAccountActiveCalls, listActiveCalls } from './active-calls.ts';
import { listAccountCallLog, listCallLog, readAccountCallLogRecord, readCallLogRecord } from './call-log.ts';
import { readRecording, readRecordingContent } from './recordings.ts';
import { cancelRingOut, readRingOut, startRingOut } from './ringout.ts';

export const callRoutes = {
  startRingOut,
  readRingOut,
  cancelRingOut,
  listAccountCallLog,
  readAccountCallLogRecord,
  listCallLog,
  readCallLogRecord,
  listAccountActiveCalls,
  listActiveCalls,
  readRecording,
  readRecordingContent,
};
