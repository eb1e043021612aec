import { open } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { syncFolder } from '../../src/platform/atomic-file.ts';
import { nounWith } from '../support/example-noun.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Opens a folder whose flush fails. */
const failing = (code: string) => async (folder: string) => {
  const handle = await open(folder, 'r');
  handle.sync = () =>
    Promise.reject(Object.assign(new Error(`${code}: x, fsync`), { code, syscall: 'fsync' }));
  return handle;
};

test.each(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EBADF'])(
  'a file system that cannot flush folders (%s) is not an error',
  async (code) => {
    const nouns = nounWith(() => syncFolder(temporaryFolder(), failing(code)));
    expect(await runUcctl('book list', { nouns })).toEqual({ exit: 0, stdout: '', stderr: '' });
  },
);

test('a real file system that cannot flush folders is not an error', async () => {
  // A flush of this folder of Linux fails with EINVAL.
  await expect(syncFolder('/proc')).resolves.toBeUndefined();
});

test('a folder that cannot be flushed is a warning', async () => {
  const folder = temporaryFolder();
  const nouns = nounWith(async () => {
    await syncFolder(folder, failing('EIO'));
    await syncFolder(folder, failing('EIO'));
  });
  expect(await runUcctl('book list', { nouns })).toEqual({
    exit: 0,
    stdout: '',
    stderr: `warning: the files in ${folder} are written, but may be lost if the machine fails now: the disk failed to read or write\n`,
  });
});
