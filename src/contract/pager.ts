import { z } from 'zod';

/** An integer; one that a number cannot hold exactly is parsed as the string of its digits. */
const integer = z.union([z.int(), z.string().regex(/^\d{16,}$/)]);

/** PAGER-1. A reply may omit `to` and then goes to the thread (PAGER-10). */
export const PagerRequest = z.object({
  from: z.object({ extensionNumber: z.string().min(1) }),
  to: z.array(z.object({ extensionNumber: z.string().min(1) })).optional(),
  text: z.string(),
  /** The message replied to. */
  replyOn: integer.optional(),
});
export type PagerRequest = z.infer<typeof PagerRequest>;
