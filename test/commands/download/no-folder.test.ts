import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

describe('download into a folder that cannot be created', () => {
  it.each([
    ['/proc', 'the operating system does not allow new folders at this path'],
    ['a-file', 'a part of the path is not a folder'],
  ])('below %s: says why and what to do', async (parent, why) => {
    const office = await openOffice();
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'a-file'), '');
    const folder = resolve(cwd, parent, 'x');
    const { exit, stdout, stderr } = await office.run(['download', '--voicemail', '--dir', folder]);
    expect([exit, stdout]).toEqual([12, '']);
    expect(stderr).toContain(`error: cannot create the folder ${folder}: ${why}\n`);
    expect(stderr).toContain('choose another folder with --dir');
    expect(stderr).not.toContain('mkdir');
  });
});
