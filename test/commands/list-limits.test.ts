import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readKnownValues } from '../../src/platform/known-values.ts';
import { temporaryFolder, temporaryPaths } from '../support/temporary.ts';
import { openOffice } from './office.ts';

it('queue list -L limits the queues, and does not cache the cut list for completion', async () => {
  const { run, sandbox } = await openOffice();
  const at = { paths: temporaryPaths() };
  const list = async (flags: string): Promise<unknown> =>
    JSON.parse((await run(`queue list ${flags} -o json`, at)).stdout);
  const all = (await list('')) as { id: string }[];
  expect(all.length).toBeGreaterThan(2);
  expect(await list('-L 2')).toEqual(all.slice(0, 2));
  expect(await list('-L 1 --members')).toMatchObject([{ id: all[0]?.id, members: 3 }]);
  const owner = { profile: 'default', origin: sandbox.url };
  expect(readKnownValues(at.paths.cache, owner)['queues']).toHaveLength(all.length);
});

it('history show -L limits the changes', async () => {
  const { run } = await openOffice();
  const at = { paths: temporaryPaths(), cwd: temporaryFolder() };
  writeFileSync(join(at.cwd, 'list.csv'), 'extension,message\n102,lunch\n103,lunch\n104,lunch\n');
  expect((await run('presence set -f list.csv --yes', at)).exit).toBe(0);
  const { stdout } = await run('history show last -L 2 -o json', at);
  expect(JSON.parse(stdout)).toMatchObject([{}, {}]);
});
