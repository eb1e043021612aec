import { spawnSync } from 'node:child_process';
import { execPath } from 'node:process';
import { describe, expect, it } from 'vitest';
import { startProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Arguments of `unshare` for a user ID that the system has no name for. */
const unknownUser = ['--user', '--map-user=61234', '--map-group=61234'];
const canChangeUser = spawnSync('unshare', [...unknownUser, 'true']).status === 0;
const missing = canChangeUser ? undefined : 'this machine allows no user namespaces';

/** Runs `ucctl store status` with the user ID of a container's operator. */
async function storeStatus(store: string): Promise<readonly [exit: number | null, stderr: string]> {
  const command = [...unknownUser, execPath, 'bin/ucctl.cjs', 'store', 'status'];
  const env = { HOME: temporaryFolder(), UCCTL_STORE: store };
  const { exit, stderr } = await startProcess('unshare', command, { env }).ended;
  return [exit, stderr];
}

describe.skipIf(missing)(`a user without a name${missing === undefined ? '' : ` (${missing})`}`, () => {
  it('connects to a store whose address names the user of the database', async () => {
    const place = 'postgres://ucctl@127.0.0.1:9/archive';
    expect(await storeStatus(place)).toEqual([
      12,
      expect.stringContaining(`cannot use the store ${place}: no server replies`),
    ]);
  });

  it('is asked for the user of the database if the address names none', async () => {
    expect(await storeStatus('postgres://127.0.0.1:9/archive')).toEqual([
      2,
      expect.stringContaining('UCCTL_STORE: the store address names no user'),
    ]);
  });
});
