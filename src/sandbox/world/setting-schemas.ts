import { z } from 'zod';
import { ControlError, issueText } from '../control/control-error.ts';
import type { SandboxSettings } from './settings.ts';

const tenYears = 315_360_000;
const whole = (least: number, most: number) => z.int().min(least).max(most);
const seconds = whole(0, tenYears);
const milliseconds = whole(0, tenYears * 1000);
/** The longest delay in milliseconds that setTimeout accepts. */
const realMilliseconds = whole(1, 2_147_483_647);
const bytes = whole(1, 1_073_741_824);
const progression = z.enum(['immediate', 'timed', 'manual']);

/** The allowed values of each setting. */
const settingSchemas: { readonly [K in keyof SandboxSettings]: z.ZodType<SandboxSettings[K]> } = {
  codeSeconds: seconds,
  consentSeconds: seconds,
  sessionsPerUserAndApp: whole(1, 1000),
  refreshGraceSeconds: seconds,
  refreshGraceUnusedSeconds: seconds,
  refreshEndsAccessToken: z.boolean(),
  refreshReuseEndsSession: z.boolean(),
  pkce: z.enum(['enforce', 'ignore', 'reject']),
  grants: z.enum(['all', 'current']),
  newCallHandling: z.boolean(),
  messageProgression: progression,
  smsRecipients: whole(1, 10),
  smsSentMilliseconds: milliseconds,
  smsDeliveredMilliseconds: milliseconds,
  faxSentMilliseconds: milliseconds,
  mailboxMessages: whole(1, 10_000_000),
  unreadMessages: whole(1, 10_000_000),
  sentFaxDays: whole(0, 36_500),
  deletedSeconds: seconds,
  purgedSeconds: seconds,
  syncDefaultSeconds: seconds,
  syncTokenSeconds: seconds,
  syncExtraRecords: whole(0, 10_000),
  subscriptionsPerUser: whole(0, 1_000_000),
  webhookEncryption: z.enum(['spec', 'never']),
  webhookTimeoutMilliseconds: realMilliseconds,
  webhookReplyBytes: bytes,
  webhookRetries: whole(0, 100),
  webhookFailingSeconds: seconds,
  webhookFailureStatus: z.enum(['Blacklisted', 'Suspended']),
  webhookReconciliationSeconds: seconds,
  webSocketTokenSeconds: seconds,
  webSocketTokenReuse: z.boolean(),
  webSocketBufferEvents: whole(1, 10_000),
  webSocketRecoverySeconds: seconds,
  webSocketIdleSeconds: whole(1, tenYears),
  webSocketAbsoluteSeconds: whole(1, tenYears),
  webSocketConnections: whole(1, 10_000),
  webSocketActiveRequests: whole(1, 10_000),
  webSocketPingMilliseconds: realMilliseconds,
  webSocketPongMilliseconds: realMilliseconds,
  webSocketHeartbeatMilliseconds: realMilliseconds,
  channelHoldMilliseconds: realMilliseconds,
  requestBodyBytes: bytes,
  faxBodyBytes: bytes,
  mediaPartBytes: bytes.or(z.literal(0)),
  requestLogRows: whole(1, 10_000_000),
  reminderJobSeconds: whole(1, tenYears),
  callProgression: progression,
  callRingMilliseconds: milliseconds,
  callNoAnswerMilliseconds: milliseconds,
  callTalkMilliseconds: milliseconds,
  ringOutRetentionMilliseconds: milliseconds,
  activeCallRetentionMilliseconds: milliseconds,
  activeCallQueries: z.enum(['dropped', 'read']),
  logTexts: z.boolean(),
  recordCalls: z.boolean(),
  recordingDays: whole(0, 36_500),
};

/**
 * Checks settings of a request or of `startSandbox`.
 * @throws {ControlError} for an unknown name or an invalid value.
 */
export function checkSettings(settings: Readonly<Record<string, unknown>>): void {
  const schemas: Readonly<Record<string, z.ZodType>> = settingSchemas;
  for (const [name, value] of Object.entries(settings)) {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (!schema)
      throw new ControlError(
        400,
        'unknown_setting',
        `setting "${name}" not found; to list all settings: ucctl sandbox settings, or GET /sandbox/v1/settings`,
      );
    const result = schema.safeParse(value, { reportInput: true });
    if (result.success) continue;
    const [issue] = result.error.issues;
    const text = issueText(issue && { ...issue, path: [name, ...issue.path] });
    throw new ControlError(400, 'bad_input', text);
  }
}
