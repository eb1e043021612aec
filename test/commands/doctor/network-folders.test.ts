import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { checkFolders } from '../../../src/commands/doctor/local.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const nfs = 0x6969;
const ext4 = 0xef53;

test('folders with databases on a network file system are named with the variables that move them', async () => {
  const paths = temporaryPaths();
  mkdirSync(paths.state, { recursive: true });
  // The folder of the mailbox copies does not exist yet, so the folder above it decides.
  const onNetwork = new Set([paths.state, dirname(paths.data)]);
  const typeOf = (folder: string): Promise<number> => Promise.resolve(onNetwork.has(folder) ? nfs : ext4);
  expect(await checkFolders({ paths }, typeOf)).toEqual({
    check: 'folders',
    result: 'warn',
    found: `databases are on a network file system: ${paths.state} (NFS), ${paths.data} (NFS). If several machines use a database there, its content can be damaged.`,
    todo: 'set UCCTL_STATE_DIR and UCCTL_DATA_DIR to local folders, a separate one for each machine',
  });
});

test('a single folder on a network file system is named with its variable; local folders pass', async () => {
  const paths = temporaryPaths();
  mkdirSync(paths.data, { recursive: true });
  const check = (type: number) =>
    checkFolders({ paths }, (folder) => Promise.resolve(folder === paths.data ? type : ext4));
  expect(await check(nfs)).toMatchObject({
    found: expect.stringContaining(`: ${paths.data} (NFS). If`),
    todo: 'set UCCTL_DATA_DIR to a local folder, a separate one for each machine',
  });
  expect(await check(ext4)).toMatchObject({ result: 'ok' });
});
