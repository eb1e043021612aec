import { listAccountActiveCalls, listActiveCalls } from './active-call-routes.ts';
import {
  listAccountCallLog,
  listCallLog,
  readAccountCallLogRecord,
  readCallLogRecord,
} from './call-log-routes.ts';
import { readRecording, readRecordingContent } from './recording-routes.ts';
import { cancelRingOut, readRingOut, startRingOut } from './ringout-routes.ts';

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
