import { cancelRingOut, readRingOut, startRingOut } from './ringout.ts';
import { unserved } from '../unserved.ts';

export const callRoutes = {
  startRingOut,
  readRingOut,
  cancelRingOut,
  listAccountCallLog: unserved,
  readAccountCallLogRecord: unserved,
  listCallLog: unserved,
  readCallLogRecord: unserved,
  listAccountActiveCalls: unserved,
  listActiveCalls: unserved,
  readRecording: unserved,
  readRecordingContent: unserved,
};
