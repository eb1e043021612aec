import { z } from 'zod';
import { callStatuses, legStatuses } from './enums.ts';
import { Id, openEnum } from './common.ts';

/** Any text: whether it is a telephone number is a rule of meaning, with the service's own words for the refusal. */
const Leg = z.object({ phoneNumber: z.string().optional() });

/** Its own number may also be named by the id of one of the user's forwarding numbers (facts 1.1, L216). */
const FirstLeg = Leg.extend({ forwardingNumberId: Id.optional() });

/** Specification, Two-legged outbound call: `from` may be missing when a default forwarding number exists. */
export const RingOutRequest = z.object({
  from: FirstLeg.optional(),
  to: Leg.optional(),
  playPrompt: z.boolean().optional(),
});
export type RingOutRequest = z.infer<typeof RingOutRequest>;

export const RingOut = z.strictObject({
  /** An integer under the specification; clients take it as an opaque key (an opaque string in later versions of the interface). */
  id: z.union([z.int(), z.string()]),
  uri: z.url(),
  status: z.strictObject({
    callStatus: openEnum(callStatuses),
    callerStatus: openEnum(legStatuses),
    calleeStatus: openEnum(legStatuses),
  }),
});
export type RingOut = z.infer<typeof RingOut>;
