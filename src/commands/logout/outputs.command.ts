import { array, flag, object, optional, record, text, type Outputs } from '../../runtime/output-schema.ts';

/** What these commands write as JSON. */
export const logoutOutputs: Outputs = {
  logout: record(
    object({
      profile: text,
      origin: optional(text),
      signedOut: flag,
      revocations: array(object({ token: text, answered: flag })),
      verified: optional(flag),
    }),
  ),
};
