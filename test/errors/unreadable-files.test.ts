import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readManifest } from '../../src/features/download/manifest.ts';
import { storeKey } from '../../src/auth/store-key.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { connectStore } from '../../src/store/index.ts';

describe('a file that cannot be read: the error names the file and the reason', () => {
  it('a key file', () => {
    const file = join(temporaryFolder(), 'key');
    expect(() => storeKey({ UCCTL_STORE_KEY_FILE: file })).toThrow(
      `cannot read the key file ${file} (UCCTL_STORE_KEY_FILE): file not found`,
    );
  });

  it('a certificate of the store', () => {
    const file = join(temporaryFolder(), 'ca.pem');
    const url = `postgres://host.example/db?sslrootcert=${file}`;
    expect(() => connectStore({ url, source: '--store', env: {} })).toThrow(
      `--store: cannot read sslrootcert ${file}: file not found`,
    );
  });

  it('a checksum list', async () => {
    const folder = temporaryFolder();
    await expect(readManifest(folder)).rejects.toMatchObject({
      code: 'no_manifest',
      message: `cannot read ${folder}: the path is a folder, not a file`,
    });
  });
});
