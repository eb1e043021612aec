import { z } from 'zod';
import { Id } from './common.ts';

/** Specification, Messaging: company-pager. `to` may be missing in a reply, which goes to the thread. */
export const PagerRequest = z.object({
  from: z.object({ extensionNumber: z.string().min(1) }),
  to: z.array(z.object({ extensionNumber: z.string().min(1) })).optional(),
  text: z.string(),
  /** The message replied to. */
  replyOn: Id.optional(),
});
export type PagerRequest = z.infer<typeof PagerRequest>;
