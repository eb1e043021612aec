import { expect, test } from 'vitest';
import { networkFileSystem, networkFolderWarning } from '../../src/platform/network-folder.ts';

test.each([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  // As a signed number, which some platforms give.
  [0xff534d42 | 0, 'CIFS'],
  [0x00c36400, 'CephFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0xef53, undefined],
  [0x01021994, undefined],
])('type %i is %s', (type, name) => {
  expect(networkFileSystem(type)).toBe(name);
});

test('a folder on a network is reported with the next step; a local or unknown one is not mentioned', async () => {
  expect(await networkFolderWarning('/home/a', () => Promise.resolve(0x6969))).toMatch(
    /^\/home\/a is on a network file system \(NFS\).*UCCTL_CONFIG_DIR/,
  );
  expect(await networkFolderWarning('/home/a', () => Promise.resolve(0xef53))).toBeUndefined();
  expect(await networkFolderWarning('/home/a', () => Promise.reject(new Error('no')))).toBeUndefined();
});
