import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ownershipFault,
  requireOwn,
  requireOwnFile,
  UnsafePathError,
  type OwnershipFault,
} from '../../src/platform/ownership.ts';
import { shellQuoted } from '../../src/platform/shell-quoted.ts';
import { ownProcess } from '../../src/platform/own-process.ts';
import { temporaryFolder } from '../support/temporary.ts';

const somebodyElse = (ownProcess.userId ?? 0) + 1;

function fileOf(mode: number): string {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  chmodSync(file, mode);
  return file;
}

function faultOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error instanceof UnsafePathError ? error.fault : error;
  }
}

describe('ownership of files', () => {
  it.each([0o600, 0o644, 0o755])('mode %o is safe', (mode) => {
    expect(ownershipFault(fileOf(mode))).toBeUndefined();
  });

  it.each([0o602, 0o666, 0o777])('mode %o permits writes by everybody', (mode) => {
    expect(ownershipFault(fileOf(mode))).toEqual({ kind: 'writable', mode });
  });

  it('a world-writable folder is safe only with the sticky bit', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o1777);
    expect(ownershipFault(folder)).toBeUndefined();
    chmodSync(folder, 0o777);
    expect(ownershipFault(folder)).toEqual({ kind: 'writable', mode: 0o777 });
  });

  it('another owner is unsafe, also for the target of a link; on Windows owners are not compared', () => {
    const file = fileOf(0o600);
    const link = join(temporaryFolder(), 'link');
    symlinkSync(file, link);
    // Files of root are safe for everybody, so nobody is told apart from root where the tests run as root.
    const owner = ownProcess.userId === 0 ? undefined : { kind: 'owner', owner: ownProcess.userId };
    expect(ownershipFault(file, { user: somebodyElse })).toEqual(owner);
    expect(ownershipFault(link, { user: somebodyElse, follow: true })).toEqual(owner);
    expect(ownershipFault(link, { user: undefined })).toBeUndefined();
  });

  it('a link is unsafe unless it is followed; a missing file is safe', () => {
    const folder = temporaryFolder();
    const link = join(folder, 'link');
    symlinkSync(fileOf(0o600), link);
    expect(ownershipFault(link)).toEqual({ kind: 'link' });
    expect(ownershipFault(link, { follow: true })).toBeUndefined();
    expect(ownershipFault(join(folder, 'missing'))).toBeUndefined();
  });

  it('a file is unsafe in an unsafe folder, and a folder may be a link', () => {
    const folder = temporaryFolder();
    const open = join(folder, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    expect(faultOf(() => requireOwnFile(join(open, 'file')))).toEqual({ kind: 'writable', mode: 0o777 });
    chmodSync(open, 0o700);
    symlinkSync(open, join(folder, 'link'));
    expect(faultOf(() => requireOwnFile(join(folder, 'link', 'file')))).toBeUndefined();
  });

  it('an error names path, problem and fix, and the probe for owners leaves no file', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o777);
    const error = (() => {
      try {
        return requireOwn(folder);
      } catch (caught) {
        return caught;
      }
    })();
    expect(error).toMatchObject({
      code: 'unsafe_path',
      message: `${folder} can be changed by other users (mode 0777)`,
      hint: `chmod go-w '${folder}'`,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('the commands of a fix are valid for a path with an apostrophe', () => {
    const path = "/home/o'b/file";
    const quoted = String.raw`'/home/o'\''b/file'`;
    const hintOf = (fault: OwnershipFault): string => new UnsafePathError(path, fault, {}).hint;
    expect(hintOf({ kind: 'writable', mode: 0o666 })).toBe(`chmod go-w ${quoted}`);
    expect(hintOf({ kind: 'link' })).toContain(`(rm ${quoted})`);
    const folder = join(temporaryFolder(), "o'b");
    mkdirSync(join(folder, 'target'), { recursive: true });
    writeFileSync(join(folder, 'file'), '');
    const variable = 'UCCTL_CONFIG_DIR';
    const remedies = ['target', 'file', 'missing'].map((name) => {
      symlinkSync(join(folder, name), join(folder, `${name}-link`));
      return new UnsafePathError(join(folder, `${name}-link`), { kind: 'link' }, { variable }).hint;
    });
    const link = (name: string): string => shellQuoted(join(folder, `${name}-link`));
    expect(remedies).toEqual([
      expect.stringContaining(
        `rm ${link('target')} && mv ${shellQuoted(join(folder, 'target'))} ${link('target')}`,
      ),
      expect.stringContaining(`(mv ${shellQuoted(join(folder, 'file'))} ${link('file')})`),
      expect.stringContaining(`(rm ${link('missing')})`),
    ]);
  });
});
