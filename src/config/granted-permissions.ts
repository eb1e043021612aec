import type { DialectName } from '../contract/dialects.ts';
import { permissionsByDialect } from '../contract/enums.ts';

// Dialect `current` has all permissions of `spec`.
const includes = permissionsByDialect.current;

/**
 * Returns the permissions of a session with all permissions that they include, transitively (PERMISSION-2). `scope` is
 * the list of the token reply, separated by white space. The result is undefined if `scope` is undefined, as after a sign-in with a password: the permissions are then unknown, not missing.
 */
export function grantedPermissions(scope: string | undefined): readonly string[] | undefined {
  if (scope === undefined) return undefined;
  const granted = new Set<string>();
  const queue = scope.split(/\s+/).filter(Boolean);
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (granted.has(name)) continue;
    granted.add(name);
    queue.push(...(Object.hasOwn(includes, name) ? (includes[name] ?? []) : []));
  }
  return [...granted].sort();
}

/**
 * Returns the names of a scope that the dialect does not define. Such a permission may include any other permission, so
 * the permissions that the scope does not name are unknown, not missing (PERMISSION-30).
 */
export function unknownPermissions(scope: string, dialect: DialectName): readonly string[] {
  const known = permissionsByDialect[dialect];
  return [...new Set(scope.split(/\s+/).filter((name) => name !== '' && !Object.hasOwn(known, name)))].sort();
}
