import { z } from 'zod';

/** An integer. If a double cannot hold it exactly, it is a string of its digits. */
const integer = z.union([z.int(), z.string().regex(/^\d{16,}$/)]);

/** The sender or a recipient. The ID is an alternative to the number in dialect `current` (PAGER-12). */
const PagerParty = z.object({
  extensionNumber: z.string().min(1).optional(),
  extensionId: z.string().regex(/^\d+$/).optional(),
});
export type PagerParty = z.infer<typeof PagerParty>;

/**
 * A request to send a pager message (PAGER-1). A reply to a message may omit `to`; it then goes to the thread
 * (PAGER-10).
 */
export const PagerRequest = z.object({
  /** Optional only in dialect `current`. */
  from: PagerParty.optional(),
  to: z.array(PagerParty).optional(),
  text: z.string(),
  /** ID of the message that this message replies to. */
  replyOn: integer.optional(),
});
export type PagerRequest = z.infer<typeof PagerRequest>;
