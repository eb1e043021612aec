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

An app gets its permissions at registration, and the user grants them at sign-in. A permission added later takes effect
after the next sign-in. ucctl status shows the permissions of the session. After a sign-in with a password or an assertion, the permissions are unknown, because the service does not
report them. The full help of a command (--help --all) lists the required permissions, for each dialect if they differ. If the service returns a permission that ucctl does
not know, ucctl doctor reports the permissions as unknown. The new permission may include others.

$ ucctl status --fields permissions

The user's role determines whose data the user can read. Only administrators can read the account's call log, its active
calls and other users' mailboxes. If the service denies access, the error names an alternative that needs no administrator.

Exit code 5 means that a permission is missing; if the service names the permission, the message includes the name. ucctl doctor compares the session's
permissions with the permissions that commands require.`;
