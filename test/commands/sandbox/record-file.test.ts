import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSandbox } from '../../../src/commands/sandbox/record-file.ts';
import { machineName } from '../../../src/platform/machine-name.ts';
import { temporaryPaths } from '../../support/temporary.ts';

type Place = Parameters<typeof findSandbox>[0];

/** A folder of records, without --base-url and UCCTL_BASE_URL. */
function place(): { readonly place: Place; readonly folder: string } {
  const paths = temporaryPaths();
  const folder = join(paths.state, 'sandboxes');
  mkdirSync(folder, { recursive: true });
  const settings = { baseUrl: { value: 'http://127.0.0.1:9', origin: 'default' } } as Place['settings'];
  return { place: { paths, settings }, folder };
}

const record = (pid: number, machine: string): string =>
  JSON.stringify({ url: `http://127.0.0.1:${pid}`, clientId: 'a', users: [], pid, machine });

describe('the record of a sandbox', () => {
  it('of an earlier start of the machine names no running sandbox, although its process ID is in use', async () => {
    const { place: at, folder } = place();
    writeFileSync(join(folder, '1.json'), record(1, 'another-machine/00000000'));
    await expect(findSandbox(at, undefined)).rejects.toMatchObject({ code: 'sandbox_not_running' });
  });

  it('that is removed while it is read names no running sandbox', async () => {
    const { place: at, folder } = place();
    writeFileSync(join(folder, `${process.pid}.json`), record(process.pid, machineName()));
    symlinkSync('removed', join(folder, `${process.ppid}.json`));
    expect(await findSandbox(at, undefined)).toMatchObject({ pid: process.pid });
  });

  it('is found by its public URL', async () => {
    const { place: at, folder } = place();
    const first = {
      ...(JSON.parse(record(process.pid, machineName())) as object),
      publicUrl: 'https://a.test',
    };
    const second = { ...first, publicUrl: 'https://b.test' };
    writeFileSync(join(folder, '1.json'), JSON.stringify(first));
    writeFileSync(join(folder, '2.json'), JSON.stringify(second));
    for (const value of ['https://a.test', 'https://b.test']) {
      const settings = { baseUrl: { value, origin: 'flag' } } as Place['settings'];
      expect(await findSandbox({ ...at, settings }, undefined)).toMatchObject({ publicUrl: value });
    }
  });
});
