import { z } from 'zod';

/** A body for several ids: one item for each id of the path in their order, or with `*` in the path one for each id that it names. */
export const BatchBody = z
  .array(z.object({ resourceId: z.string().optional(), body: z.record(z.string(), z.unknown()) }))
  .min(1);

/** A reply about several ids as one JSON array. */
export const BatchReply = z.array(
  z.strictObject({ resourceId: z.string(), status: z.int(), body: z.unknown().optional() }),
);

/** The first part of the same reply as `multipart/mixed`; a JSON part for each id follows. */
export const BatchHead = z.strictObject({
  response: z.array(z.strictObject({ href: z.url(), status: z.int(), responseDescription: z.string() })),
});
