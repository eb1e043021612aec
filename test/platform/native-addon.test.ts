import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { extract } from '../../src/platform/extract-addon.ts';
import { UnsafePathError } from '../../src/platform/ownership.ts';
import { temporaryFolder } from '../support/temporary.ts';

const addon = Buffer.from('native code');

describe('the native addon of the single executable', () => {
  it('is extracted once, for this user alone, and its name is its digest', () => {
    const folder = join(temporaryFolder(), 'native');
    const file = extract(addon, folder);
    const { ino, mode } = statSync(file);
    expect(mode & 0o777).toBe(0o700);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(extract(addon, folder)).ino).toBe(ino);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.node$/)]);
  });

  it('is extracted again if its content was changed', () => {
    const folder = join(temporaryFolder(), 'native');
    writeFileSync(extract(addon, folder), 'other code');
    expect(readFileSync(extract(addon, folder))).toEqual(addon);
  });

  it('of another version is a file of its own', () => {
    const folder = join(temporaryFolder(), 'native');
    expect(extract(addon, folder)).not.toBe(extract(Buffer.from('newer code'), folder));
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it.skipIf(process.platform === 'win32')(
    'is rejected if other users could change it (Windows has no modes)',
    () => {
      const folder = join(temporaryFolder(), 'native');
      const file = extract(addon, folder);
      chmodSync(file, 0o777);
      expect(() => extract(addon, folder)).toThrow(UnsafePathError);
      const moved = `${file}.moved`;
      renameSync(file, moved);
      symlinkSync(moved, file);
      expect(() => extract(addon, folder)).toThrow(UnsafePathError);
    },
  );
});
