import { z } from 'zod';
import { callStatuses, legStatuses } from './enums.ts';
import { Id, openEnum } from './common.ts';

/** A party of the call. The number can be any text: the route checks it and rejects it with an error of the service. */
const Leg = z.object({ phoneNumber: z.string().optional() });

/** The caller's number, or the ID of one of the user's forwarding numbers (RINGOUT-10). */
const FirstLeg = Leg.extend({ forwardingNumberId: Id.optional() });

/** A request to place a call. `from` may be absent if a default forwarding number exists (RINGOUT-5). */
export const RingOutRequest = z.object({
  from: FirstLeg.optional(),
  to: Leg.optional(),
  playPrompt: z.boolean().optional(),
  /** The number that the called person sees; only in dialect `current` (RINGOUT-31). */
  callerId: Leg.optional(),
});
export type RingOutRequest = z.infer<typeof RingOutRequest>;
/** A request in dialect `spec`, which cannot set a caller ID (RINGOUT-9). */
export const SpecRingOutRequest: z.ZodType<RingOutRequest> = RingOutRequest.omit({ callerId: true });

export const RingOut = z.strictObject({
  /** An integer in dialect `spec` and an opaque string in `current`; clients treat it as an opaque key (RINGOUT-12). */
  id: z.union([z.int(), z.string()]),
  uri: z.url().optional(),
  status: z.strictObject({
    callStatus: openEnum(callStatuses),
    callerStatus: openEnum(legStatuses),
    calleeStatus: openEnum(legStatuses),
  }),
});
export type RingOut = z.infer<typeof RingOut>;
/** A call as the sandbox sends it. */
export const CompleteRingOut = RingOut.required({ uri: true });
