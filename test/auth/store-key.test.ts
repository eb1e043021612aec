import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decryptFromStore, encryptForStore, storeKey } from '../../src/auth/store-key.ts';
import { temporaryFolder } from '../support/temporary.ts';

const isRoot = process.getuid?.() === 0;

/** Reads a key from a file with this mode and, as root, this owner. */
function readKey(mode: number, owner?: number): Buffer {
  const file = join(temporaryFolder(), 'store.key');
  writeFileSync(file, Buffer.alloc(32).toString('base64'));
  chmodSync(file, mode);
  if (owner !== undefined) chownSync(file, owner, owner);
  return storeKey({ UCCTL_STORE_KEY_FILE: file });
}

describe.skipIf(process.platform === 'win32')('the file of the key (Windows has no modes)', () => {
  it.each([0o600, 0o400])('may have the mode %o', (mode) => {
    expect(readKey(mode)).toHaveLength(32);
  });

  it.each([0o604, 0o644, 0o602])('is rejected with the mode %o', (mode) => {
    expect(() => readKey(mode)).toThrow('other users can read the key file');
  });

  it.skipIf(!isRoot)(
    'of root may be readable for its group, as the secrets of systemd and Kubernetes',
    () => {
      expect(readKey(0o440, 0)).toHaveLength(32);
      expect(() => readKey(0o460, 0)).toThrow('other users can read the key file');
      expect(() => readKey(0o440, 1234)).toThrow('other users can read the key file');
    },
  );
});

it('a file that exists but cannot be read is not a reason to create a new key', () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o700);
  expect(() => storeKey({ UCCTL_STORE_KEY_FILE: folder })).toThrow(
    expect.objectContaining({ hint: 'check the path, and the owner and mode of the file' }),
  );
});

it.each([16, 31, 33])('a key of %i bytes is rejected', (bytes) => {
  const key = Buffer.alloc(bytes).toString('base64');
  expect(() => storeKey({ UCCTL_STORE_KEY: key })).toThrow('it must have 32 bytes in base64');
});

describe('a session in the store', () => {
  const key = Buffer.alloc(32, 1);
  const encrypted = encryptForStore('canary', key, 'default');

  it('is read with its key', () => {
    expect(encrypted).not.toContain('canary');
    expect(decryptFromStore(encrypted, key, 'default')).toBe('canary');
  });

  it.each([
    ['was encrypted with another key', encrypted, Buffer.alloc(32, 2), 'default'],
    ['was stored by another version of ucctl', encrypted.replace('1:', '2:'), key, 'default'],
    ['is damaged or has been changed', encrypted.slice(0, -4), key, 'default'],
    ['is damaged or has been changed', encrypted, key, 'other'],
  ])('%s', (problem, text, used, item) => {
    expect(() => decryptFromStore(text, used, item)).toThrow(`the session "${item}" in the store ${problem}`);
  });
});
