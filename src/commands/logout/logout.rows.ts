import { array, flag, object, oneOf, optional, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

const revocation = object({
  token: oneOf('refresh', 'access'),
  confirmed: flag,
  problem: optional(text),
});

/** The session that `logout` ended. */
export const logoutRows = rows(
  {},
  {
    profile: { schema: text, title: 'Profile' },
    origin: { schema: optional(text), title: 'Service' },
    signedOut: { schema: flag, title: 'Signed out' },
    revocations: { schema: array(revocation) },
    verified: { schema: optional(oneOf('rejected', 'accepted', 'unknown')), title: 'Previous token' },
  },
);
