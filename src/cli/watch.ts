import { footerTime } from '../platform/moment.ts';
import type { OptionSpec } from '../runtime/command-description.ts';
import type { Context } from '../runtime/context.ts';
import type { BoardScreen, Output, View } from '../runtime/output.ts';
import { usageError } from '../errors/command.ts';
import { nameForPeople } from './flags.ts';

/** The output of one run of the command. */
interface Reading {
  readonly rows: readonly object[];
  readonly view: View<object>;
}

/** The parts of a repeated command. */
export interface Watching {
  /** Words of the command. */
  readonly title: string;
  readonly intervalSeconds: number;
  /** One run of the command, on a context that captures its output. */
  readonly run: (ctx: Context) => Promise<unknown>;
}

/**
 * `--watch`: repeats a command that only reads. A terminal shows a board, other outputs get new and changed rows. Ends with Ctrl-C, or with
 * the first run that fails.
 */
export async function watchCommand(ctx: Context, watching: Watching): Promise<void> {
  const first = await read(ctx, watching);
  // Aborts when the board ends, so that its timer or its request does not keep the process alive.
  const over = new AbortController();
  const live = { ...ctx, signal: AbortSignal.any([ctx.signal, over.signal]) };
  try {
    await ctx.out.board(screens(live, watching, first), first.view, { signal: ctx.signal });
  } finally {
    over.abort();
  }
}

async function* screens(
  ctx: Context,
  watching: Watching,
  first: Reading,
): AsyncGenerator<BoardScreen<object>, void, undefined> {
  const { title, intervalSeconds } = watching;
  let before = new Set<string>();
  let { rows } = first;
  for (;;) {
    const texts = rows.map(asText);
    const known = before;
    before = new Set(texts);
    yield {
      title: `${title}  ${rows.length}`,
      rows,
      footer: `every ${intervalSeconds} s · ${footerTime(ctx.now(), ctx.out.zone)}`,
      changed: rows.filter((_, index) => !known.has(texts[index] ?? '')),
    };
    try {
      await ctx.sleep(intervalSeconds * 1000, ctx.signal);
    } catch {
      // An interrupted wait ends the command without an error.
      return;
    }
    ({ rows } = await read(ctx, watching));
  }
}

/** @throws {CommandError} `usage` for an option with which the command does not only read. */
export function checkOptions(
  table: Readonly<Record<string, OptionSpec>>,
  options: Readonly<Record<string, unknown>>,
): void {
  for (const [key, option] of Object.entries(table))
    if (option.conflictsWithWatch && options[key] !== undefined)
      throw usageError(
        `${nameForPeople(key, option)} and --watch cannot be used together`,
        'remove one of them',
      );
}

async function read(ctx: Context, { run }: Watching): Promise<Reading> {
  let reading: Reading = { rows: [], view: { columns: [] } };
  const out: Output = {
    ...ctx.out,
    async list<T extends object>(rows: Iterable<T> | AsyncIterable<T>, view: View<T>) {
      const all: object[] = [];
      for await (const row of rows) all.push(row);
      reading = { rows: all, view: view as View<object> };
    },
    record(row, view) {
      reading = { rows: [row], view: view as View<object> };
      return Promise.resolve();
    },
    // Notes of the repeated command are not shown, because they would move the board at every run.
    note: () => undefined,
  };
  await run({ ...ctx, out });
  return reading;
}

function asText(row: object): string {
  return JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
