import { z } from 'zod';

/**
 * The body of a request about several ids. It has one item for each id in the path, in the same order. With `*` in
 * the path, it has one item for each id that the body names.
 */
export const BatchBody = z
  .array(z.object({ resourceId: z.string().optional(), body: z.record(z.string(), z.unknown()) }))
  .min(1);

/** A reply about several ids as one JSON array. */
export const BatchReply = z.array(
  z.strictObject({ resourceId: z.string(), status: z.int(), body: z.unknown().optional() }),
);

/** The first part of a reply about several ids as `multipart/mixed`. A JSON part for each id follows. */
export const BatchHead = z.strictObject({
  response: z.array(z.strictObject({ href: z.url(), status: z.int(), responseDescription: z.string() })),
});
