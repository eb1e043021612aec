import { object, optional, record, text, time, type Outputs } from '../../runtime/output-schema.ts';

/** What these commands write as JSON. */
export const loginOutputs: Outputs = {
  login: record(
    object({
      profile: text,
      origin: text,
      flow: text,
      username: optional(text),
      extension: optional(text),
      session: optional(text),
      account: optional(text),
      ownerId: optional(text),
      store: text,
      expiresAt: time,
      refreshExpiresAt: optional(time),
    }),
  ),
};
