import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourceFiles } from '../architecture/import-cycles.ts';

it('is the only way to read rows one at a time, because the iterator of Node 20 does not keep its statement', () => {
  const ownWay = sourceFiles('src').filter((file) => /\)\.iterate\(/.test(readFileSync(file, 'utf8')));
  expect(ownWay).toEqual([]);
});
