import { mkdir, readFile, rmdir } from 'node:fs/promises';
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

  it('are never replaced by an older content: writes are sequential', async () => {
    const folder = temporaryFolder();
    const events: string[] = [];
    const results = new ResultsFiles(
      ['first.csv', 'second.csv'].map((name) => join(folder, name)),
      false,
      () => {
        events.push('content');
        return { lines: [['queue', 'result status']], dialect: undefined };
      },
      () => events.push('clock'),
    );
    await Promise.all([results.write(), results.write()]);
    const one = ['clock', 'content', 'content', 'clock'];
    expect(events).toEqual([...one, ...one]);
  });

  it('are written after an earlier write failed', async () => {
    const file = join(temporaryFolder(), 'done.csv');
    await mkdir(file);
    const results = new ResultsFiles([file], false, () => ({ lines: [['queue']], dialect: undefined }));
    await expect(results.write()).rejects.toMatchObject({ code: 'not_written', exit: 12 });
    await rmdir(file);
    await results.write();
    expect(await readFile(file, 'utf8')).toBe('queue\r\n');
  });

  it('are not written after a change that is reported when the run has ended', async () => {
    let count = 0;
    const results = new ResultsFiles([join(temporaryFolder(), 'done.csv')], false, () => {
      count += 1;
      return { lines: [['queue']], dialect: undefined };
    });
    await results.settle();
    results.changed();
    await results.settle();
    expect(count).toBe(0);
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
