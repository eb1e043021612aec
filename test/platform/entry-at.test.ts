import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { entryAt } from '../../src/platform/entry-at.ts';
import { sourceFiles } from '../architecture/import-cycles.ts';
import { temporaryFolder } from '../support/temporary.ts';

it('returns the state of a file and a folder, and undefined for nothing', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), 'x');
  mkdirSync(join(folder, 'inner'));
  expect(entryAt(join(folder, 'file'))?.size).toBe(1);
  expect(entryAt(join(folder, 'inner'))?.isDirectory()).toBe(true);
  expect(entryAt(join(folder, 'missing', 'deeper'))).toBeUndefined();
});

it('throws ENOTDIR for a path below a file, on every version of Node', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(() => entryAt(join(file, 'below'))).toThrow(/ENOTDIR/);
});

it('is the only way to ask for a path that may be missing, because statSync differs by the version of Node', () => {
  const ownWay = sourceFiles('src').filter((file) =>
    /\bstatSync\([^;]*throwIfNoEntry/.test(readFileSync(file, 'utf8')),
  );
  expect(ownWay.filter((file) => !/\blstatSync\(/.test(readFileSync(file, 'utf8')))).toEqual([]);
});
