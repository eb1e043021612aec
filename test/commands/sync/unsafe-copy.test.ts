import { chmodSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openMirror } from '../../../src/features/mirror/mirror.ts';
import type { Paths } from '../../../src/runtime/context.ts';
import { pathsIn } from '../../support/paths.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { temporaryFolder } from '../../support/temporary.ts';

function withCopy(): { readonly paths: Paths; readonly file: string } {
  const paths = pathsIn(temporaryFolder());
  const file = join(paths.data, 'mailbox', 'default.sqlite');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  openMirror(file).close();
  return { paths, file };
}

it.each([
  ['sync status', 'file'],
  ['sync search hello', 'folder'],
  ['sync erase --phone +16505550112 --yes', 'file'],
  ['calllog stats --local --since 7d', 'folder'],
])('%s rejects the copy of the profile if other users can change its %s', async (command, what) => {
  const { paths, file } = withCopy();
  const path = what === 'file' ? file : dirname(file);
  chmodSync(path, 0o777);
  const { exit, stderr } = await runUcctl(command, { paths });
  expect([exit, stderr]).toEqual([12, expect.stringContaining(`${path} can be changed by other users`)]);
  expect(stderr).toContain(`chmod go-w '${path}'`);
});

it('the user may link the folder of the copies, and may name a file that others can change', async () => {
  const { paths, file } = withCopy();
  const other = join(temporaryFolder(), 'copies');
  renameSync(dirname(file), other);
  symlinkSync(other, dirname(file));
  expect(await runUcctl('sync status', { paths })).toMatchObject({ exit: 0 });
  chmodSync(other, 0o777);
  expect(await runUcctl('sync status', { paths })).toMatchObject({ exit: 12 });
  expect(await runUcctl(`sync status --database ${file}`, { paths })).toMatchObject({ exit: 0 });
});
