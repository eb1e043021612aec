import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

async function openCopy() {
  const office = await openOffice('administrator');
  const paths = temporaryPaths();
  await office.run('sync', { paths });
  const folder = temporaryFolder();
  return {
    fileOf: (name: string) => join(folder, name),
    exportTo: (name: string, ...more: readonly string[]) =>
      office.run(['sync', 'export', '--to', join(folder, name), '-o', 'json', ...more], { paths }),
  };
}

it('selects the format by the extension of the target', async () => {
  const { exportTo, fileOf } = await openCopy();
  expect(JSON.parse((await exportTo('all.csv')).stdout)).toMatchObject({ format: 'csv' });
  expect(JSON.parse((await exportTo('all.jsonl')).stdout)).toMatchObject({ format: 'ndjson' });
  expect(JSON.parse((await exportTo('all.PARQUET')).stdout)).toMatchObject({ format: 'parquet' });
  expect(JSON.parse((await exportTo('all.mbox')).stdout)).toMatchObject({ format: 'mbox' });
  expect(readFileSync(fileOf('all.PARQUET')).subarray(0, 4).toString()).toBe('PAR1');
});

it('prefers --format to the extension', async () => {
  const { exportTo } = await openCopy();
  const { stdout } = await exportTo('all.csv', '--format', 'ndjson');
  expect(JSON.parse(stdout)).toMatchObject({ format: 'ndjson' });
});

it.each(['archive', 'archive.html', 'messages.txt'])('requires --format for %s', async (name) => {
  const { exportTo, fileOf } = await openCopy();
  const { exit, stderr } = await exportTo(name);
  expect(exit).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({
    error: { message: expect.stringContaining('--format is missing') as string },
  });
  expect(existsSync(fileOf(name))).toBe(false);
});
