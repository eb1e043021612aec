import type { Context } from '../runtime/context.ts';
import type { BoardFrame, Output, View } from '../runtime/output.ts';

/** What a command showed in one reading. */
interface Reading {
  readonly rows: readonly object[];
  readonly view: View<object>;
}

/** How a command is read again and again. */
export interface Watching {
  /** Words of the command. */
  readonly title: string;
  readonly intervalSeconds: number;
  /** One run of the command, on a context whose output is kept back. */
  readonly run: (ctx: Context) => Promise<unknown>;
}

/**
 * `--watch`: runs a command that only reads, over and over, as a board on a terminal and as the rows that came or changed elsewhere. Ends
 * with Ctrl-C, or with the first reading that fails.
 */
export async function watchCommand(ctx: Context, watching: Watching): Promise<void> {
  const first = await read(ctx, watching);
  await ctx.out.board(frames(ctx, watching, first), first.view, { signal: ctx.signal });
}

async function* frames(
  ctx: Context,
  watching: Watching,
  first: Reading,
): AsyncGenerator<BoardFrame<object>, void, undefined> {
  const { title, intervalSeconds } = watching;
  let before = new Set<string>();
  let { rows } = first;
  for (;;) {
    const texts = rows.map(asText);
    const known = before;
    before = new Set(texts);
    const time = new Date(ctx.now()).toISOString().slice(11, 19);
    yield {
      title: `${title}  ${rows.length}`,
      rows,
      footer: `read every ${intervalSeconds} s · ${time} UTC · Ctrl-C ends`,
      changed: rows.filter((_, index) => !known.has(texts[index] ?? '')),
    };
    try {
      await ctx.sleep(intervalSeconds * 1000);
    } catch {
      // Cut short by the end of the watching.
      return;
    }
    ({ rows } = await read(ctx, watching));
  }
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
    // Said once it helps; said with every reading it only moves the picture.
    note: () => undefined,
  };
  await run({ ...ctx, out });
  return reading;
}

function asText(row: object): string {
  return JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
