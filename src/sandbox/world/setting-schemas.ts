import { z } from 'zod';
import { ControlError } from '../control/control-error.ts';
import type { SandboxSettings } from './settings.ts';

const tenYears = 315_360_000;
const whole = (least: number, most: number) => z.int().min(least).max(most);
const seconds = whole(0, tenYears);
const milliseconds = whole(0, tenYears * 1000);
/** For timers of the machine, which take no more. */
const realMilliseconds = whole(1, 2_147_483_647);
const bytes = whole(1, 1_073_741_824);
const progression = z.enum(['immediate', 'timed', 'manual']);

/** What each setting may be. */
const settingSchemas: { readonly [K in keyof SandboxSettings]: z.ZodType<SandboxSettings[K]> } = {
  codeSeconds: seconds,
  consentSeconds: seconds,
  sessionsPerUserAndApp: whole(1, 1000),
  refreshGraceSeconds: seconds,
  refreshGraceUnusedSeconds: seconds,
  refreshEndsAccessToken: z.boolean(),
  refreshReuseEndsSession: z.boolean(),
  pkce: z.enum(['enforce', 'ignore', 'reject']),
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
  channelHoldMilliseconds: realMilliseconds,
  requestBodyBytes: bytes,
  faxBodyBytes: bytes,
  mediaPartBytes: bytes.or(z.literal(0)),
  requestLogRows: whole(1, 10_000_000),
  reminderJobSeconds: seconds,
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
 * Checks settings that come from outside.
 * @throws {ControlError} for an unknown name, or a value that is of the wrong type, no choice or out of range.
 */
export function checkSettings(settings: Readonly<Record<string, unknown>>): void {
  const schemas: Readonly<Record<string, z.ZodType>> = settingSchemas;
  for (const [name, value] of Object.entries(settings)) {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (!schema) throw new ControlError(400, 'unknown_setting', `there is no setting ${name}`);
    const result = schema.safeParse(value);
    if (result.success) continue;
    const why = result.error.issues[0]?.message ?? 'invalid';
    throw new ControlError(400, 'bad_input', `${name}: ${why}`);
  }
}
