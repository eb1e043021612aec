import { firstNames } from '../../platform/first-names.ts';
import { anything, array, integer, optional, text, time } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

type Members = Readonly<Record<string, unknown>>;

/** Number of users, apps, queues and groups in a cell: all users of the default office. */
const mostNames = 12;
const mostAddresses = 3;

/**
 * Returns the cell of a list of named objects: `Support (201), Sales (202)`, with the member `key` in parentheses. A long list
 * has the first objects, and the number of the others.
 */
function named(list: string, key: string): (row: object) => string {
  return (row) => {
    const objects = (row as Readonly<Record<string, readonly Members[]>>)[list] ?? [];
    return firstNames(
      objects.map((one) => `${String(one['name'])} (${String(one[key])})`),
      mostNames,
    );
  };
}

/** Returns the cell of the redirect URIs: the first, and the number of the others. */
function addressCell({ redirectUris = [] }: { readonly redirectUris?: readonly string[] }): string {
  return firstNames(redirectUris, mostAddresses);
}

function trafficCell({ traffic }: { readonly traffic?: unknown }): string {
  const { running, perMinute } = (traffic ?? {}) as { running?: boolean; perMinute?: number };
  return running ? `${perMinute} events per minute` : 'stopped';
}

const ready = {
  url: { schema: text, title: 'URL' },
  publicUrl: { schema: optional(text), title: 'PUBLIC URL' },
  mediaUrl: { schema: optional(text), title: 'MEDIA URL' },
  ca: { schema: optional(text), title: 'CA' },
  dialect: { schema: text, title: 'DIALECT' },
  pid: { schema: integer, title: 'PID' },
  clientId: { schema: text, title: 'CLIENT ID' },
  clientSecret: { schema: text, title: 'CLIENT SECRET' },
  redirectUris: {
    schema: array(text),
    title: 'Redirect URIs',
    cell: addressCell,
  },
  users: { schema: array(anything), title: 'USERS', cell: named('users', 'extension') },
  apps: { schema: array(anything), title: 'APPS', cell: named('apps', 'clientId') },
  accountId: { schema: text, title: 'ACCOUNT ID' },
  mainNumber: { schema: text, title: 'MAIN NUMBER' },
  brandId: { schema: text, title: 'BRAND ID' },
  partnerAccountId: { schema: text, title: 'PARTNER ACCOUNT ID' },
  queues: { schema: array(anything), title: 'QUEUES', cell: named('queues', 'extension') },
  groups: { schema: array(anything), title: 'GROUPS', cell: named('groups', 'id') },
};

/** The address of a sandbox and its credentials, as written by `start`. */
export const readyRows = rows({}, ready);

/** A running sandbox: its address, credentials and state. */
export const statusRows = rows(
  {},
  {
    ...ready,
    time: { schema: time, title: 'TIME' },
    clock: { schema: text, title: 'CLOCK' },
    rateLimits: { schema: text, title: 'RATE LIMITS' },
    faults: { schema: integer, title: 'FAULTS' },
    traffic: { schema: anything, title: 'TRAFFIC', cell: trafficCell },
    messages: { schema: integer, title: 'MESSAGES' },
    subscriptions: { schema: integer, title: 'SUBSCRIPTIONS' },
    pendingDeliveries: { schema: integer, title: 'PENDING DELIVERIES' },
  },
);
