import { permissionIncludes } from '../../contract/enums.ts';

/** Each permission of an app with what it includes, for the topic's list. */
export const permissionRows: readonly (readonly [string, string])[] = Object.entries(permissionIncludes).map(
  ([name, includes]) => [name, includes.length > 0 ? `includes ${includes.join(', ')}` : ''],
);

export const permissions = `What a command may do is limited three times: by the permissions of the app, by the role of the signed-in user, and by
the features of the account.

The app gets its permissions when it is registered, and the user agrees to them at sign-in. A permission that is added later is in force
after the next sign-in. ucctl status shows what this session has; after a sign-in by password the service does not say, and then they are
unknown, not missing. The help of each command names what it needs.

$ ucctl status --fields permissions

The user's role decides whose things may be seen: the call log and the active calls of the account, and the mailboxes of others, are for
administrators. Commands that read them say so when they are refused, and name the way that is open without it.

Exit code 5 means that a permission is missing; the message names it where the service does. ucctl doctor compares what the session has with
what the commands need.`;
