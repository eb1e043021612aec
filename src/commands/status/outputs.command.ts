import {
  array,
  flag,
  object,
  optional,
  record,
  text,
  time,
  type Outputs,
} from '../../runtime/output-schema.ts';

/** What these commands write as JSON. */
export const statusOutputs: Outputs = {
  status: record(
    object({
      profile: text,
      signedIn: flag,
      origin: optional(text),
      clientId: optional(text),
      flow: text,
      username: optional(text),
      extension: optional(text),
      session: optional(text),
      account: optional(text),
      ownerId: optional(text),
      permissions: optional(array(text)),
      signedInAt: optional(time),
      expiresAt: optional(time),
      refreshExpiresAt: optional(time),
      renewable: optional(flag),
      store: text,
    }),
  ),
};
