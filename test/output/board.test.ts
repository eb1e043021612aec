import { describe, expect, it } from 'vitest';
import { BoardNotices, drawBoard, type BoardTerminal } from '../../src/output/board.ts';
import { loadPaint, StyleMarks } from '../../src/output/paint.ts';
import type { Surface } from '../../src/output/renderer.ts';
import type { BoardFrame, View } from '../../src/runtime/output.ts';

interface Row {
  readonly name: string;
}
const view: View<Row> = {
  columns: [{ key: 'name', title: 'NAME', value: (row) => row.name }],
  empty: 'Nobody.',
};
const frame = (names: readonly string[]): BoardFrame<Row> => ({
  title: 'Support \u001B[31m',
  rows: names.map((name) => ({ name })),
  footer: 'Ctrl-C ends',
  changed: [],
});

/** A terminal of a size that can change, and what was written to it. */
async function terminalOf(columns: number, rows: number) {
  const written: string[] = [];
  const listeners = new Set<() => void>();
  const size = { columns, rows };
  const terminal: BoardTerminal = {
    get columns() {
      return size.columns;
    },
    get rows() {
      return size.rows;
    },
    on: (_event, listener) => listeners.add(listener),
    off: (_event, listener) => listeners.delete(listener),
  };
  const surface: Surface = {
    write: (text) => {
      written.push(text);
      return Promise.resolve();
    },
    isTerminal: true,
    columns,
    paint: await loadPaint(false),
    marks: new StyleMarks(),
    header: true,
    fields: undefined,
    csvRaw: false,
    now: () => 0,
  };
  const resize = (next: { columns: number; rows: number }) => {
    Object.assign(size, next);
    for (const listener of listeners) listener();
  };
  return { terminal, surface, written, resize, listeners };
}

const bare = (text: string | undefined): readonly string[] =>
  (text ?? '').replaceAll('\u001B[H', '').replaceAll('\u001B[K', '').replaceAll('\u001B[J', '').split('\r\n');

describe('a board', () => {
  it('draws on the second screen, gives it back, and leaves its last state on the first', async () => {
    const { terminal, surface, written, listeners } = await terminalOf(40, 10);
    await drawBoard(
      { surface, terminal, view },
      (async function* () {
        yield frame(['Ann']);
        yield frame(['Bo']);
      })(),
    );
    expect(written[0]).toBe('\u001B[?1049h\u001B[?25l');
    expect(bare(written[1])).toEqual(['Support ␛[31m', 'NAME', 'Ann', 'Ctrl-C ends']);
    expect(written.at(-2)).toBe('\u001B[?25h\u001B[?1049l');
    expect(written.at(-1)).toBe('Support ␛[31m\nNAME\nBo\nCtrl-C ends\n');
    expect(listeners.size).toBe(0);
  });

  it('never writes more lines or wider ones than the terminal has, also after it changed its size', async () => {
    const { terminal, surface, written, resize } = await terminalOf(30, 6);
    const names = Array.from({ length: 20 }, (_, index) => `王小明 ${'x'.repeat(40)} ${index}`);
    await drawBoard(
      { surface, terminal, view },
      (async function* () {
        yield frame(names);
        resize({ columns: 12, rows: 4 });
        yield frame(names);
        resize({ columns: 60, rows: 30 });
        yield frame(names);
      })(),
    );
    const drawn = written.filter((text) => text.startsWith('\u001B[H')).map(bare);
    expect(drawn[0]).toHaveLength(6);
    expect(drawn[0]?.[4]).toBe('… and 18 more');
    const small = drawn.find((lines) => lines.length === 4);
    expect(small?.every((line) => line.length <= 12)).toBe(true);
    expect(drawn.at(-1)).toHaveLength(23);
  });

  it('shows what is said meanwhile on a line of its own, at once and for a while, in no more lines than there are', async () => {
    const { terminal, surface: still, written } = await terminalOf(30, 6);
    let time = 0;
    const surface = { ...still, now: () => time };
    const names = Array.from({ length: 20 }, (_, index) => `Ann ${index}`);
    const notices = new BoardNotices();
    await drawBoard(
      { surface, terminal, view, notices },
      (async function* () {
        yield frame(names);
        notices.add('waiting 12 s for the rate limit of the service', 0);
        await Promise.resolve();
        yield frame(names);
        time = 20_000;
        yield frame(names);
      })(),
    );
    const drawn = written.filter((text) => text.startsWith('\u001B[H')).map(bare);
    expect(drawn[1]).toEqual([
      'Support ␛[31m',
      'NAME',
      'Ann 0',
      '… and 19 more',
      'waiting 12 s for the rate lim…',
      'Ctrl-C ends',
    ]);
    expect(drawn.at(-1)).not.toContain('waiting 12 s for the rate lim…');
    expect(written.at(-1)).not.toContain('waiting');
  });

  it('gives the terminal back at once when it is aborted, and when the frames fail', async () => {
    const { terminal, surface, written } = await terminalOf(40, 10);
    const stop = new AbortController();
    const failing = drawBoard(
      { surface, terminal, view, signal: stop.signal },
      (async function* () {
        yield frame([]);
        stop.abort();
        await Promise.resolve();
        throw new Error('broken');
      })(),
    );
    await expect(failing).rejects.toThrow('broken');
    expect(bare(written[1])).toEqual(['Support ␛[31m', 'Nobody.', 'Ctrl-C ends']);
    expect(written.filter((text) => text.includes('\u001B[?1049l'))).toHaveLength(1);
  });
});
