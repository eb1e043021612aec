import type { NounSpec, RegisteredNoun } from '../../src/runtime/define.ts';
import { type Book, exampleNoun } from './example-noun.ts';

const count = Number(process.env['EXAMPLE_BOOKS'] ?? 2);
const rows = Array.from({ length: count }, (_, id): Book => ({ id, name: `Book number ${id} with a name` }));

const noun: NounSpec = exampleNoun({
  rows,
  ...(process.env['EXAMPLE_SLEEP'] && {
    work: async (ctx) => {
      ctx.out.note('waiting');
      await ctx.sleep(60_000);
    },
  }),
  ...(process.env['EXAMPLE_STUBBORN'] && {
    work: async (ctx) => {
      ctx.out.note('waiting');
      ctx.signal.addEventListener('abort', () => ctx.out.note('finishing'));
      await new Promise((resolve) => void setTimeout(resolve, 60_000));
    },
  }),
});

/** Replaces the tool's registry in a program built for spawned tests. */
export const registry: readonly RegisteredNoun[] = [{ name: noun.name, load: () => Promise.resolve(noun) }];
