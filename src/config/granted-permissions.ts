import { permissionIncludes } from '../contract/enums.ts';

const includes: Readonly<Record<string, readonly string[]>> = permissionIncludes;

/**
 * The permissions of a session with all that they include, transitively (PERMISSION-2). `scope` is that of the token reply,
 * white-space separated; undefined, as after a password sign-in, gives undefined: unknown, never missing.
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
