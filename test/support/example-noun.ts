import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context, Handler } from '../../src/runtime/context.ts';
import { type AnyCommandSpec, defineCommand, type NounSpec } from '../../src/runtime/define.ts';
import type { View } from '../../src/runtime/output.ts';
import { array, id, list, object, optional, text } from '../../src/runtime/output-schema.ts';

/** A record of the example commands. */
export interface Book {
  readonly id: number | bigint;
  readonly name: string;
  readonly phone?: string;
  readonly status?: string;
  readonly changed?: string;
  readonly tags?: readonly { readonly word: string }[];
}

const bookView: View<Book> = {
  columns: [
    { key: 'id', title: 'ID', kind: 'id', priority: 10, value: (book) => book.id },
    { key: 'name', title: 'Name', priority: 50, value: (book) => book.name },
    { key: 'phone', title: 'Phone', kind: 'phone', priority: 30, value: (book) => book.phone },
    { key: 'status', title: 'Status', kind: 'status', priority: 40, value: (book) => book.status },
    { key: 'changed', title: 'Changed', kind: 'time', priority: 20, value: (book) => book.changed },
  ],
  empty: 'No books.',
  line: (book) => `${book.id}: ${book.name}`,
};

const bookSchema = object({
  id,
  name: text,
  phone: optional(text),
  status: optional(text),
  changed: optional(text),
  tags: optional(array(object({ word: text }))),
});

/** Noon on the day of the examples. */
export const noon = Date.parse('2025-03-01T12:00:00Z');

const books: readonly Book[] = [
  {
    id: 1,
    name: 'Ada',
    phone: '+15550100',
    status: 'Enabled',
    changed: '2025-03-01T11:48:00Z',
    tags: [{ word: 'old' }],
  },
  {
    id: 9_007_199_254_740_993n,
    name: 'Comma, "quote"',
    status: 'Disabled',
    changed: '2025-01-05T08:00:00.000+02:00',
  },
];

/** The work of the example commands in one test. */
export interface Behaviour {
  readonly rows?: readonly Book[];
  /** Replaces the work of every example command. */
  readonly work?: (ctx: Context, options: Readonly<Record<string, unknown>>) => Promise<void>;
}

interface ListOptions {
  readonly shelf: readonly string[];
}
interface PutOptions {
  readonly id: string;
  readonly words: readonly string[];
  readonly color?: 'Red' | 'DarkBlue';
  readonly count: number;
  readonly within?: number;
  readonly loud?: boolean;
  readonly text?: string;
  readonly file?: string;
  readonly rest: readonly string[];
}

/** A noun with one command of every kind, for tests of the program itself. */
export function exampleNoun(behaviour: Behaviour = {}): NounSpec {
  const rows = behaviour.rows ?? books;
  const handlerOf =
    <O extends object>(own: Handler<O>): (() => Promise<Handler<O>>) =>
    () => {
      const { work } = behaviour;
      return Promise.resolve(
        work ? (ctx, options) => work(ctx, options as Readonly<Record<string, unknown>>) : own,
      );
    };
  const commands: readonly AnyCommandSpec[] = [
    defineCommand<ListOptions>({
      path: ['book', 'list'],
      summary: 'List the books',
      options: { shelf: { type: 'list', summary: 'Only of these shelves' } },
      examples: [{ comment: 'All of them', command: 'ucctl book list' }],
      output: list(bookSchema),
      watch: true,
      load: handlerOf<ListOptions>((ctx) => ctx.out.list(pages(rows), bookView)),
    }),
    defineCommand<object>({
      path: ['book', 'show'],
      summary: 'Show the first book',
      options: {},
      examples: [],
      load: handlerOf<object>((ctx) => ctx.out.record(rows[0] ?? { id: 0, name: '' }, bookView)),
    }),
    defineCommand<object>({
      path: ['book', 'follow'],
      summary: 'Show books as they come',
      options: {},
      examples: [],
      load: handlerOf<object>((ctx) => ctx.out.stream(pages(rows), bookView)),
    }),
    defineCommand<PutOptions>({
      path: ['book', 'put'],
      summary: 'Put a book on the shelf',
      description:
        'A longer text that says what putting means, long enough that it has to be broken over two lines.',
      options: {
        id: { type: 'string', positional: true, required: true, value: 'BOOK', summary: 'The book' },
        words: { type: 'list', positional: true, commas: false, value: 'WORD', summary: 'Words about it' },
        color: { type: 'string', choices: ['Red', 'DarkBlue'], summary: 'Its colour' },
        count: { type: 'integer', min: 1, max: 9, default: 1, summary: 'How many' },
        within: { type: 'duration', minSeconds: 60, maxSeconds: 86_400, summary: 'Until when' },
        loud: { type: 'boolean', negatable: true, summary: 'With a bang' },
        text: { type: 'string', short: 't', summary: 'A note', conflicts: ['file'] },
        file: { type: 'string', summary: 'A note from a file' },
        rest: { type: 'list', commas: false, summary: 'Further words' },
      },
      examples: [{ comment: 'A red one', command: 'ucctl book put 1 --color red' }],
      permissions: ['EditBooks'],
      rateGroup: 'Heavy',
      mutates: true,
      exitCodes: { 3: 'there is no such book' },
      load: handlerOf<PutOptions>((ctx) => ctx.out.record({ id: 1, name: 'put' }, bookView)),
    }),
  ];
  return { name: 'book', summary: 'Books of the example', section: 'Account and setup', commands };
}

/** Runs `work` as `ucctl book put X`, or as any other example command. */
export function nounWith(
  work: (ctx: Context, options: Readonly<Record<string, unknown>>) => Promise<void>,
): readonly NounSpec[] {
  return [exampleNoun({ work })];
}

async function* pages(rows: readonly Book[]): AsyncGenerator<Book, void, undefined> {
  for (const row of rows) {
    await nextTurn();
    yield row;
  }
}
