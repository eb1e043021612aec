import { unserved } from '../unserved.ts';

export const callRoutes = {
  startRingOut: unserved,
  readRingOut: unserved,
  cancelRingOut: unserved,
  listAccountCallLog: unserved,
  readAccountCallLogRecord: unserved,
  listCallLog: unserved,
  readCallLogRecord: unserved,
  listAccountActiveCalls: unserved,
  listActiveCalls: unserved,
  readRecording: unserved,
  readRecordingContent: unserved,
};
