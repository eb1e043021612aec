import { z } from 'zod';
import { WeeklyRanges } from './business-hours.ts';
import { Flag, listOf, multi, openEnum, PageQuery, Timestamp } from './common.ts';
import { ruleTypes } from './enums.ts';

export const callHandlingActions = [
  'ForwardCalls',
  'UnconditionalForwarding',
  'AgentQueue',
  'TransferToExtension',
  'TakeMessagesOnly',
  'PlayAnnouncementOnly',
  'SharedLines',
] as const;
export const screenings = ['Off', 'NoCallerId', 'UnknownCallerId', 'Always'] as const;

/** An object whose members ucctl does not interpret. */
const Opaque = z.record(z.string(), z.unknown());

const settings = {
  enabled: z.boolean().optional(),
  callers: z
    .array(z.strictObject({ callerId: z.string().optional(), name: z.string().optional() }))
    .optional(),
  calledNumbers: z.array(z.strictObject({ phoneNumber: z.string().optional() })).optional(),
  schedule: z
    .strictObject({
      weeklyRanges: WeeklyRanges.optional(),
      ranges: z.array(z.strictObject({ from: Timestamp.optional(), to: Timestamp.optional() })).optional(),
      ref: openEnum(['BusinessHours', 'AfterHours']).optional(),
    })
    .optional(),
  callHandlingAction: openEnum(callHandlingActions).optional(),
  forwarding: Opaque.optional(),
  unconditionalForwarding: z
    .strictObject({ phoneNumber: z.string().optional(), action: z.string().optional() })
    .optional(),
  queue: Opaque.optional(),
  transfer: Opaque.optional(),
  voicemail: Opaque.optional(),
  missedCall: Opaque.optional(),
  greetings: z.array(Opaque).optional(),
  screening: openEnum(screenings).optional(),
};

/** A rule that decides how calls to an extension are answered (RULE-1 to RULE-3). */
export const AnsweringRule = z.strictObject({
  uri: z.url().optional(),
  id: z.string(),
  type: openEnum(ruleTypes).optional(),
  name: z.string().optional(),
  ...settings,
  sharedLines: Opaque.optional(),
});
export type AnsweringRule = z.infer<typeof AnsweringRule>;
export const AnsweringRuleList = listOf(AnsweringRule);

export const AnsweringRuleQuery = PageQuery.extend({
  type: multi(z.enum(ruleTypes)),
  view: z.enum(['Detailed', 'Simple']).optional(),
  enabledOnly: Flag.optional(),
  internalIds: Flag.optional(),
});

/** The query for one rule (RULE-3). */
export const AnsweringRuleReadQuery = z.object({
  showInactiveNumbers: Flag.optional(),
  internalIds: Flag.optional(),
});

/** A new rule (RULE-4). */
export const AnsweringRuleRequest = z.object({ type: z.string(), name: z.string().min(1), ...settings });
export type AnsweringRuleRequest = z.infer<typeof AnsweringRuleRequest>;
/** The members of a rule to change (RULE-5). */
export const AnsweringRuleUpdate = z.object({
  id: z.string().optional(),
  type: openEnum(ruleTypes).optional(),
  name: z.string().min(1).optional(),
  ...settings,
});
export type AnsweringRuleUpdate = z.infer<typeof AnsweringRuleUpdate>;
