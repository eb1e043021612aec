import { expect, it } from 'vitest';
import { exampleNoun } from '../support/example-noun.ts';
import { runUcctl } from '../support/run-ucctl.ts';

const closed = (): never => {
  throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
};

it('ends a reader quietly', async () => {
  const result = await runUcctl('book list', { nouns: [exampleNoun()], onStdout: closed });
  expect(result).toEqual({ exit: 0, stdout: '', stderr: '' });
});

it('lets a command that changes something finish, with the exit code of its work', async () => {
  let finished = false;
  const noun = exampleNoun({
    work: async (ctx) => {
      await ctx.out.record({ id: 1 }, { columns: [] });
      await ctx.out.record({ id: 2 }, { columns: [] });
      finished = true;
      throw new TypeError('later');
    },
  });
  const { exit } = await runUcctl('book put 1 -o json', { nouns: [noun], onStdout: closed });
  expect({ exit, finished }).toEqual({ exit: 70, finished: true });
});

it('ends a live stream as if it were over, so that the command cleans up', async () => {
  let ended = false;
  const noun = exampleNoun({
    work: async (ctx) => {
      const endless = async function* (): AsyncGenerator<{ id: number }, void, undefined> {
        try {
          for (let id = 0; ; id += 1) yield { id };
        } finally {
          ended = true;
        }
      };
      await ctx.out.stream(endless(), { columns: [] });
      ctx.out.note('cleaned up');
    },
  });
  const { exit, stderr } = await runUcctl('book follow', { nouns: [noun], onStdout: closed });
  expect({ exit, stderr, ended }).toEqual({ exit: 0, stderr: 'cleaned up\n', ended: true });
});

it('ends help quietly', async () => {
  expect((await runUcctl('--help', { onStdout: closed })).exit).toBe(0);
});
