import { z } from 'zod';
import { CALL_STATUSES, LEG_STATUSES } from './enums.ts';
import { openEnum } from './common.ts';

/** Any text: whether it is a telephone number is a rule of meaning, with the service's own words for the refusal. */
const Leg = z.object({ phoneNumber: z.string().optional() });

/** Specification, Two-legged outbound call: `from` may be missing when a default forwarding number exists. */
export const RingOutRequest = z.object({
  from: Leg.optional(),
  to: Leg.optional(),
  playPrompt: z.boolean().optional(),
});
export type RingOutRequest = z.infer<typeof RingOutRequest>;

export const RingOut = z.strictObject({
  id: z.int(),
  uri: z.url(),
  status: z.strictObject({
    callStatus: openEnum(CALL_STATUSES),
    callerStatus: openEnum(LEG_STATUSES),
    calleeStatus: openEnum(LEG_STATUSES),
  }),
});
export type RingOut = z.infer<typeof RingOut>;
