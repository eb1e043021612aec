import { z } from 'zod';
import { Id } from './common.ts';

/**
 * The body of a request for several IDs. The body has one item for each ID in the path, in the same order. If the path
 * contains `*`, the body has one item for each ID that it names.
 */
export const BatchBody = z
  .array(z.object({ resourceId: z.string().optional(), body: z.record(z.string(), z.unknown()) }))
  .min(1);

/** The body of a DELETE whose path contains `*`: the IDs. */
export const BatchIds = z.array(Id).min(1);

/** A reply for several IDs, as one JSON array. */
export const BatchReply = z.array(
  z.strictObject({ resourceId: z.string(), status: z.int(), body: z.unknown().optional() }),
);

/** The first part of a `multipart/mixed` reply for several IDs. A JSON part for each ID follows. */
export const BatchHead = z.strictObject({
  response: z.array(z.strictObject({ href: z.url(), status: z.int(), responseDescription: z.string() })),
});
