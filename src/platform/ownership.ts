import { lstatSync, realpathSync, rmSync, statSync, writeFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownProcess } from './own-process.ts';
import { shellQuoted } from './shell-quoted.ts';

/** The reason why a file or folder must not be trusted. */
export type OwnershipFault =
  | { readonly kind: 'link' }
  /** Another user owns the file or folder; `owner` is the user ID. */
  | { readonly kind: 'owner'; readonly owner: number }
  /** Other users may write to the file or folder; `mode` contains the permission bits. */
  | { readonly kind: 'writable'; readonly mode: number };

export interface OwnershipRules {
  /**
   * Whether to follow a symbolic link, for files that users may link to their dotfiles. Otherwise a symbolic link is a
   * fault.
   */
  readonly follow?: boolean;
  /** The variable that selects the folder, for the hint about a link. */
  readonly variable?: 'UCCTL_CONFIG_DIR' | 'UCCTL_STATE_DIR';
  /** User ID of this process; undefined on Windows, which does not use mode bits. */
  readonly user?: number | undefined;
}

/** The error for a file or folder that another user could change, so that ucctl neither reads nor writes it. */
export class UnsafePathError extends Error {
  override readonly name = 'UnsafePathError';
  readonly code = 'unsafe_path';
  readonly path: string;
  readonly fault: OwnershipFault;
  /** The next step for the user. */
  readonly hint: string;

  constructor(path: string, fault: OwnershipFault, rules: OwnershipRules) {
    super(`${path} ${problemOf(fault, rules.user ?? 0)}`);
    this.path = path;
    this.fault = fault;
    this.hint =
      fault.kind === 'link' && rules.variable !== undefined
        ? remedyOfLink(path, rules.variable)
        : remedyOf(path, fault);
  }
}

function problemOf(fault: OwnershipFault, user: number): string {
  if (fault.kind === 'link') return 'is a symbolic link; ucctl does not follow links to its own files';
  if (fault.kind === 'owner') {
    return `belongs to another user (uid ${fault.owner}), and ucctl runs as uid ${user}`;
  }
  return `can be changed by other users (mode ${fault.mode.toString(8).padStart(4, '0')})`;
}

function remedyOf(path: string, fault: OwnershipFault): string {
  if (fault.kind === 'link')
    return `delete the link (rm ${shellQuoted(path)}), or replace the link with a copy of its target`;
  if (fault.kind === 'writable') return `chmod go-w ${shellQuoted(path)}`;
  return 'run ucctl as the owner, change the owner, or set UCCTL_CONFIG_DIR, UCCTL_STATE_DIR and UCCTL_DATA_DIR to your own folders';
}

/** Names the target of a link, with which the user can replace it, or to whose folder the variable can be set. */
function remedyOfLink(path: string, variable: string): string {
  let target: string;
  try {
    target = realpathSync(path);
  } catch {
    return `delete the link (rm ${shellQuoted(path)}), which points to a missing file`;
  }
  if (examine(target, statSync)?.isDirectory() === true) {
    return `set ${variable} to the folder itself (${target}), or replace the link with the folder: rm ${shellQuoted(path)} && mv ${shellQuoted(target)} ${shellQuoted(path)}`;
  }
  return `replace the link with the file (mv ${shellQuoted(target)} ${shellQuoted(path)}), or set ${variable} to the folder of the file (${dirname(target)})`;
}

/**
 * Returns the reason why a file or folder is unsafe, according to the rule of ssh: only this user or root may own it
 * and write to it. A group may have write permission if it is the private group of the user (with the same ID as the
 * user). In a folder with the sticky bit, all users may have write permission. Undefined if the path is safe, does not
 * exist or cannot be examined.
 */
export function ownershipFault(path: string, rules: OwnershipRules = {}): OwnershipFault | undefined {
  const user = 'user' in rules ? rules.user : ownProcess.userId;
  if (user === undefined) return undefined;
  const entry = examine(path, lstatSync);
  if (!entry) return undefined;
  if (!entry.isSymbolicLink()) return faultOf(entry, user);
  if (rules.follow !== true) return { kind: 'link' };
  if (entry.uid !== user && entry.uid !== 0) return { kind: 'owner', owner: entry.uid };
  const target = examine(path, statSync);
  return target && faultOf(target, user);
}

function examine(path: string, stat: (path: string) => Stats): Stats | undefined {
  try {
    return stat(path);
  } catch {
    // Reading the file will fail for the same reason and report the error.
    return undefined;
  }
}

function faultOf(entry: Stats, user: number): OwnershipFault | undefined {
  const { uid, gid } = entry;
  const mode = entry.mode & 0o7777;
  if (uid !== user && uid !== 0) return { kind: 'owner', owner: uid };
  const isSticky = entry.isDirectory() && (mode & 0o1000) !== 0;
  const byGroup = (mode & 0o020) !== 0 && gid !== uid;
  const byOthers = (mode & 0o002) !== 0;
  return (byGroup || byOthers) && !isSticky ? { kind: 'writable', mode } : undefined;
}

/**
 * Checks a file or folder of ucctl before it is used.
 * @returns `ownerless` if the file system has no owners and modes (FAT, some mounts), so that nothing can be checked.
 * @throws {UnsafePathError}
 */
export function requireOwn(path: string, rules: OwnershipRules = {}): 'safe' | 'ownerless' {
  const fault = ownershipFault(path, rules);
  if (!fault) return 'safe';
  if (fault.kind !== 'link' && !hasOwners(path)) return 'ownerless';
  throw new UnsafePathError(path, fault, { user: ownProcess.userId, ...rules });
}

/** Checks that a path is not a link, whoever owns it. @throws {UnsafePathError} */
export function requireNoLink(path: string): void {
  const fault = ownershipFault(path);
  if (fault?.kind === 'link') throw new UnsafePathError(path, fault, {});
}

/** Checks a file of ucctl and its folder. The folder may be a link. @throws {UnsafePathError} */
export function requireOwnFile(file: string): void {
  requireOwn(dirname(file), { follow: true });
  requireOwn(file);
}

/**
 * Whether a new file in this folder would belong to this user alone. True if no file can be created, so that the path
 * counts as unsafe.
 */
function hasOwners(path: string): boolean {
  const folder = examine(path, statSync)?.isDirectory() ? path : dirname(path);
  const probe = join(folder, `.ucctl-owner-${ownProcess.pid}`);
  try {
    writeFileSync(probe, '', { flag: 'wx', mode: 0o600 });
  } catch {
    return true;
  }
  const made = examine(probe, lstatSync);
  rmSync(probe, { force: true });
  return made === undefined || (made.uid === ownProcess.userId && (made.mode & 0o077) === 0);
}
