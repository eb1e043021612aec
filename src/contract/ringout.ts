import { z } from 'zod';
import { callStatuses, legStatuses } from './enums.ts';
import { Id, openEnum } from './common.ts';

/** Any text: whether it is a telephone number is a rule of meaning, with the service's own words for the refusal. */
const Leg = z.object({ phoneNumber: z.string().optional() });

/** The own number may also be given by the id of a forwarding number of the user: RINGOUT-10. */
const FirstLeg = Leg.extend({ forwardingNumberId: Id.optional() });

/** RINGOUT-5: `from` may be absent when a default forwarding number exists. */
export const RingOutRequest = z.object({
  from: FirstLeg.optional(),
  to: Leg.optional(),
  playPrompt: z.boolean().optional(),
});
export type RingOutRequest = z.infer<typeof RingOutRequest>;

export const RingOut = z.strictObject({
  /** An integer in dialect `spec` and an opaque string in `current`; clients treat it as an opaque key (RINGOUT-12). */
  id: z.union([z.int(), z.string()]),
  uri: z.url(),
  status: z.strictObject({
    callStatus: openEnum(callStatuses),
    callerStatus: openEnum(legStatuses),
    calleeStatus: openEnum(legStatuses),
  }),
});
export type RingOut = z.infer<typeof RingOut>;
