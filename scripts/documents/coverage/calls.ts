import type { OperationId } from '../../../src/contract/operations.ts';
import { apiOnly, flag, itself, media, paging, type OperationReach } from './reach.ts';

const accountCallLog = {
  page: itself('ucctl reads all pages'),
  perPage: flag('calllog list --per-page'),
  extensionNumber: flag('calllog list --extension-number'),
  phoneNumber: flag('calllog list --phone'),
  direction: flag('calllog list --direction'),
  sessionId: flag('calllog list --session'),
  telephonySessionId: flag('calllog list --telephony-session'),
  type: flag('calllog list --type'),
  view: flag('calllog list --view'),
  withRecording: flag('calllog list --with-recording'),
  recordingType: flag('calllog list --recording-type'),
  metadataCategory: apiOnly('the published categories are not known'),
  dateFrom: flag('calllog list --since'),
  dateTo: flag('calllog list --until'),
  showDeleted: flag('calllog list --show-deleted'),
} as const;
const callLog = {
  ...accountCallLog,
  showBlocked: flag('calllog list --show-blocked'),
  transport: flag('calllog list --transport'),
} as const;
/** The contract gives a record the query parameters of its list; for a single record only the view has a meaning. */
const callRecord = Object.fromEntries(
  Object.keys(callLog).map((name) => [
    name,
    name === 'view'
      ? itself('always Detailed, because the command shows the complete record')
      : apiOnly('applies to lists only'),
  ]),
);
const activeCalls = {
  ...paging,
  direction: flag('calllog active --direction'),
  type: flag('calllog active --type'),
  transport: apiOnly(
    'some services ignore this filter, and records in the Simple view do not show the value',
  ),
  conferenceType: apiOnly('some services ignore this filter'),
  view: apiOnly('some services have only the Simple view'),
} as const;

/** Two-legged calls, call log and media. */
export const calls = {
  startRingOut: {
    commands: ['ringout start'],
    parameters: {
      from: flag('ringout start --from'),
      to: flag('ringout start --to'),
      playPrompt: flag('ringout start --prompt'),
    },
  },
  readRingOut: { commands: ['ringout status', 'ringout start'] },
  cancelRingOut: { commands: ['ringout cancel'] },
  listAccountCallLog: { commands: ['calllog list', 'calllog stats'], parameters: accountCallLog },
  readAccountCallLogRecord: { commands: ['calllog show'], parameters: callRecord },
  listCallLog: { commands: ['calllog list', 'calllog stats'], parameters: callLog },
  readCallLogRecord: { commands: ['calllog show'], parameters: callRecord },
  syncCallLog: {
    commands: ['calllog sync'],
    parameters: {
      syncType: itself('ISync if a token is stored, otherwise FSync'),
      syncToken: itself('stored in the local copy'),
      dateFrom: flag('calllog sync --overlap'),
      recordCount: apiOnly('the local copy needs all changes'),
      statusGroup: apiOnly('the local copy contains all calls'),
      view: itself('always Detailed, because the local copy contains the legs'),
      showDeleted: apiOnly('the local copy retains calls that the service deletes'),
      withRecording: apiOnly('the local copy contains all calls'),
      recordingType: apiOnly('the local copy contains all calls'),
      metadataCategory: apiOnly('the local copy contains all calls'),
    },
  },
  listAccountActiveCalls: { commands: ['calllog active'], parameters: activeCalls },
  listActiveCalls: { commands: ['calllog active'], parameters: activeCalls },
  readRecording: { commands: ['download'] },
  readRecordingContent: { commands: ['download'], parameters: media },
  readGreetingContent: { commands: ['download'], parameters: media },
  readProfileImageContent: { commands: ['download'], parameters: media },
} satisfies Partial<Record<OperationId, OperationReach>>;
