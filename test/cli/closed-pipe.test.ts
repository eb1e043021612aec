import { expect, it } from 'vitest';
import { exampleNoun } from '../support/example-noun.ts';
import { runUcctl } from '../support/run-ucctl.ts';

const closed = (): never => {
  throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
};

it('ends a reading command without a message', async () => {
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

it('ends a live stream normally, so that the command cleans up', async () => {
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

it('ends help without a message', async () => {
  expect((await runUcctl('--help', { onStdout: closed })).exit).toBe(0);
});

const full = (): never => {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  });
};

it('reports that changes were made if the result cannot be written', async () => {
  const nouns = [exampleNoun({ work: (ctx) => ctx.out.record({ id: 1 }, { columns: [] }) })];
  const { exit, stderr } = await runUcctl('book put 1 -o json', { nouns, onStdout: full });
  expect([exit, JSON.parse(stderr)]).toMatchObject([
    14,
    {
      error: {
        code: 'outcome_unknown',
        message: expect.stringContaining(
          'the disk is full; the command may have made some or all of its changes',
        ) as unknown,
        hint: expect.stringContaining('ucctl outcome list') as unknown,
      },
    },
  ]);
  const dry = await runUcctl('book put 1 -n', { nouns, onStdout: full });
  expect([dry.exit, dry.stderr]).toEqual([12, expect.stringContaining('the disk is full')]);
});

it('is a local failure if the result of a read cannot be written', async () => {
  const { exit, stderr } = await runUcctl('book list', { nouns: [exampleNoun()], onStdout: full });
  expect([exit, stderr]).toEqual([
    12,
    expect.stringContaining('could not write the result to stdout: the disk is full'),
  ]);
});

it.each(['book list --help', 'help flags', '--help', '--version'])(
  'is a local failure if the text of %s cannot be written',
  async (argv) => {
    const { exit, stderr } = await runUcctl(argv, { nouns: [exampleNoun()], onStdout: full });
    expect([exit, stderr]).toEqual([
      12,
      expect.stringContaining('could not write the result to stdout: the disk is full'),
    ]);
  },
);
