import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ResultsFiles } from '../../../src/features/bulk/results-files.ts';
import { temporaryFolder } from '../../support/temporary.ts';

describe('the results files of a run', () => {
  it.each([
    ['a short list', 2, 250],
    ['a long list, of which a write takes 400 ms', 400, 4000],
  ])('are written for at most a tenth of the time: %s', async (_name, duration, pause) => {
    let now = 0;
    const results = new ResultsFiles(
      [join(temporaryFolder(), 'done.csv')],
      false,
      () => {
        now += duration;
        return { lines: [['queue', 'result status']], dialect: undefined };
      },
      () => now,
    );
    expect(results.pause).toBe(250);
    await results.write();
    expect(results.pause).toBe(pause);
  });

  it('each contain all rows', async () => {
    const folder = temporaryFolder();
    const files = ['first.csv', 'second.csv'].map((name) => join(folder, name));
    const results = new ResultsFiles(files, false, () => ({ lines: lines(), dialect: undefined }));
    await results.write();
    for (const file of files)
      expect(await readFile(file, 'utf8')).toBe('queue,result status\r\n501,added\r\n');

    function* lines(): Generator<readonly string[], void, undefined> {
      yield ['queue', 'result status'];
      yield ['501', 'added'];
    }
  });
});
