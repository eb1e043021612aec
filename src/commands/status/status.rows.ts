import type { SessionSummary } from '../../runtime/auth.ts';
import { array, flag, integer, object, oneOf, optional, text, time } from '../../runtime/output-schema.ts';
import { rows, source, type RowOf } from '../../runtime/rows.ts';

interface SignedIn {
  readonly session: SessionSummary;
  readonly permissions: readonly string[] | undefined;
  readonly rateLimits: readonly GroupLimit[] | undefined;
}

/** The limit of a usage group. Times are ISO 8601. */
export interface GroupLimit {
  readonly group: string;
  readonly perMinute: number;
  /** Known if few requests are left. */
  readonly left?: number | undefined;
  readonly resetsAt?: string | undefined;
  readonly blockedUntil?: string | undefined;
}

/** The signed-in user and the session. */
export type StatusRow = RowOf<typeof statusRows>;

export const statusRows = rows(
  { source: source<SignedIn>() },
  {
    profile: { schema: text, from: ({ session }) => session.profile, title: 'Profile' },
    origin: { schema: optional(text), from: ({ session }) => session.origin, title: 'Service' },
    clientId: { schema: optional(text), from: ({ session }) => session.clientId },
    flow: { schema: text, from: ({ session }) => session.flow, title: 'Flow' },
    username: { schema: optional(text), from: ({ session }) => session.username, title: 'User' },
    name: { schema: optional(text), from: ({ session }) => session.name, title: 'Name' },
    extension: { schema: optional(text), from: ({ session }) => session.extension, title: 'Extension' },
    account: { schema: optional(text), from: ({ session }) => session.account, title: 'Account' },
    ownerId: {
      schema: optional(text),
      from: ({ session }) => session.ownerId,
      title: 'Extension ID',
      kind: 'id',
    },
    signedInAt: { schema: optional(time), from: ({ session }) => session.signedInAt },
    expiresAt: {
      schema: optional(time),
      from: ({ session }) => session.expiresAt,
      title: 'Token expires',
      kind: 'time',
    },
    refreshExpiresAt: {
      schema: optional(time),
      from: ({ session }) => session.refreshExpiresAt,
      title: 'Session expires',
      kind: 'time',
    },
    /** Whether the session can be renewed when its access token expires. */
    renewable: { schema: optional(flag), from: ({ session }) => session.renewable },
    store: { schema: text, from: ({ session }) => session.store, title: 'Store' },
    session: {
      schema: optional(oneOf('signup', 'account')),
      from: ({ session }) => session.appSession,
    },
    signedIn: { schema: flag, from: () => true },
    /** False for the access token of UCCTL_TOKEN, which no command has sent. Absent for a stored session. */
    tokenChecked: { schema: optional(flag), from: () => undefined },
    /** The granted permissions and all permissions that they include. Absent if the service did not report them. */
    permissions: {
      schema: optional(array(text)),
      from: ({ permissions }) => permissions,
      title: 'Permissions',
      cell: ({ permissions }) => permissions?.join(' ') ?? 'unknown',
    },
    /**
     * The documented limit of each usage group. `left` and `resetsAt` are present if few requests are left,
     * `blockedUntil` after a 429. Absent if a store has the limits.
     */
    rateLimits: {
      schema: optional(
        array(
          object({
            group: text,
            perMinute: integer,
            left: optional(integer),
            resetsAt: optional(time),
            blockedUntil: optional(time),
          }),
        ),
      ),
      from: ({ rateLimits }) => rateLimits,
    },
  },
);

/** Columns of `status`, from the top. */
export const statusColumns = [
  'profile',
  'origin',
  'name',
  'username',
  'extension',
  'account',
  'ownerId',
  'flow',
  'permissions',
  'expiresAt',
  'refreshExpiresAt',
  'store',
];
