import { currentPermissionIncludes, permissionIncludes } from '../../contract/enums.ts';

/** Each permission of an app with the permissions it includes. */
export const permissionRows: readonly (readonly [string, string])[] = Object.entries(
  currentPermissionIncludes,
).map(([name, includes]) => [
  name,
  [
    ...(includes.length > 0 ? [`includes ${includes.join(', ')}`] : []),
    ...(Object.hasOwn(permissionIncludes, name) ? [] : ['only in dialect current']),
  ].join('; '),
]);

export const permissions = `Three things limit what a command may do: the permissions of the app, the role of the signed-in user, and
the features of the account.

An app gets its permissions when it is registered, and the user grants them at sign-in. A permission that is added later takes effect
after the next sign-in. ucctl status shows the permissions of the session. After a sign-in by password they are unknown, because the service does not
report them. --help --all of a command lists the permissions that it needs, for each dialect if they differ. If the service names a permission
that ucctl does not know, ucctl doctor reports the permissions as unknown, because that permission may include others.

$ ucctl status --fields permissions

The user's role limits whose data can be read: the call log and active calls of the account, and other users' mailboxes, require an
administrator. If the service denies access, the error names an alternative that needs no administrator.

Exit code 5 means that a permission is missing; the message names it if the service does. ucctl doctor compares the permissions of the session with
those that the commands need.`;
