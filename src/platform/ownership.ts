import { lstatSync, rmSync, statSync, writeFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownProcess } from './own-process.ts';

/** Why a file or folder must not be trusted. */
export type OwnershipFault =
  | { readonly kind: 'link' }
  /** `owner`: user id of the owner. */
  | { readonly kind: 'owner'; readonly owner: number }
  /** `mode`: the permission bits. */
  | { readonly kind: 'writable'; readonly mode: number };

export interface OwnershipRules {
  /** Whether a symbolic link is followed, as for files that people keep in a collection of their own; otherwise a link is a fault. */
  readonly follow?: boolean;
  /** User id of this process; undefined on Windows, where access is not a matter of these bits. */
  readonly user?: number | undefined;
}

/** A file or folder of ours could have been written by somebody else, so nothing is read from it or written to it. */
export class UnsafePathError extends Error {
  override readonly name = 'UnsafePathError';
  readonly code = 'unsafe_path';
  readonly path: string;
  readonly fault: OwnershipFault;
  /** What to do about it. */
  readonly hint: string;

  constructor(path: string, fault: OwnershipFault, user: number) {
    super(`${path} ${problemOf(fault, user)}`);
    this.path = path;
    this.fault = fault;
    this.hint = remedyOf(path, fault);
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
  if (fault.kind === 'link') return `remove the link (rm '${path}'), or move the file itself there`;
  if (fault.kind === 'writable') return `chmod go-w '${path}'`;
  return 'run ucctl as that user, change the owner, or set UCCTL_CONFIG_DIR and UCCTL_STATE_DIR to folders of your own';
}

/**
 * What makes a file or folder unsafe, by the rule of ssh: it belongs to this user or to root, and nobody else may write to it. A group may
 * where it is the user's private one (its number is that of the user); a folder for everybody is safe where only owners remove files (sticky).
 * Undefined when it is safe, is not there, or cannot be examined.
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
    // What cannot be examined cannot be read either, and whoever reads it reports that.
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
 * Checks a file or folder of ours before it is trusted.
 * @returns `ownerless` where its file system has no owners and modes (FAT, some mounts): there is nothing to check there.
 * @throws {UnsafePathError}
 */
export function requireOwn(path: string, rules: OwnershipRules = {}): 'safe' | 'ownerless' {
  const fault = ownershipFault(path, rules);
  if (!fault) return 'safe';
  if (fault.kind !== 'link' && !hasOwners(path)) return 'ownerless';
  throw new UnsafePathError(path, fault, ('user' in rules ? rules.user : ownProcess.userId) ?? 0);
}

/** A file of ours and the folder it is in; the folder may be a link. @throws {UnsafePathError} */
export function requireOwnFile(file: string): void {
  requireOwn(dirname(file), { follow: true });
  requireOwn(file);
}

/** Whether a file that this user makes there belongs to this user alone. True also where none can be made: then there is no reason for trust. */
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
