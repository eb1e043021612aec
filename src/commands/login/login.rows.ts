import type { SessionSummary } from '../../runtime/auth.ts';
import { optional, text, time } from '../../runtime/output-schema.ts';
import { rows, source } from '../../runtime/rows.ts';

/** The session that `login` created. */
export const loginRows = rows(
  { source: source<SessionSummary>() },
  {
    profile: { schema: text, from: ({ profile }) => profile, title: 'Profile' },
    origin: { schema: text, from: ({ origin }) => origin, title: 'Service' },
    flow: { schema: text, from: ({ flow }) => flow, title: 'Flow' },
    username: { schema: optional(text), from: ({ username }) => username, title: 'User' },
    name: { schema: optional(text), from: ({ name }) => name, title: 'Name' },
    extension: { schema: optional(text), from: ({ extension }) => extension, title: 'Extension' },
    session: { schema: optional(text), from: ({ appSession }) => appSession },
    account: { schema: optional(text), from: ({ account }) => account, title: 'Account' },
    ownerId: { schema: optional(text), from: ({ ownerId }) => ownerId, title: 'Extension ID', kind: 'id' },
    store: { schema: text, from: ({ store }) => store, title: 'Store' },
    expiresAt: { schema: time, from: ({ expiresAt }) => expiresAt, title: 'Token expires', kind: 'time' },
    refreshExpiresAt: {
      schema: optional(time),
      from: ({ refreshExpiresAt }) => refreshExpiresAt,
      title: 'Session expires',
      kind: 'time',
    },
  },
);
