import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { BoardNotices, drawBoard, type BoardTerminal } from '../../src/output/board.ts';
import { eventually } from '../support/eventually.ts';
import type { Keyboard } from '../../src/output/board-keys.ts';
import { loadPaint, StyleMarks } from '../../src/output/paint.ts';
import type { Surface } from '../../src/output/renderer.ts';
import type { BoardScreen, View } from '../../src/runtime/output.ts';

interface Row {
  readonly name: string;
}
const view: View<Row> = {
  columns: [{ key: 'name', title: 'NAME', value: (row) => row.name }],
  empty: 'Nobody.',
};
const screen = (names: readonly string[]): BoardScreen<Row> => ({
  title: 'Support \u001B[31m',
  rows: names.map((name) => ({ name })),
  footer: 'live',
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
  it('draws on the alternate screen, restores the main screen, and prints its last state there', async () => {
    const { terminal, surface, written, listeners } = await terminalOf(40, 10);
    const hasQuit = await drawBoard(
      { surface, terminal, view },
      (async function* () {
        yield screen(['Ann']);
        yield screen(['Bo']);
      })(),
    );
    expect(hasQuit).toBe(false);
    expect(written[0]).toBe('\u001B[?1049h\u001B[?25l\u001B[?2004h');
    expect(bare(written[1])).toEqual(['Support ␛[31m', 'NAME', 'Ann', 'live · Ctrl-C to quit']);
    expect(written.at(-2)).toBe('\u001B[?2004l\u001B[?25h\u001B[?1049l');
    expect(written.at(-1)).toBe('Support ␛[31m\nNAME\nBo\nlive\n');
    expect(listeners.size).toBe(0);
  });

  it('never exceeds the size of the terminal, also after a resize', async () => {
    const { terminal, surface, written, resize } = await terminalOf(30, 6);
    const names = Array.from({ length: 20 }, (_, index) => `王小明 ${'x'.repeat(40)} ${index}`);
    await drawBoard(
      { surface, terminal, view },
      (async function* () {
        yield screen(names);
        resize({ columns: 12, rows: 4 });
        yield screen(names);
        resize({ columns: 60, rows: 30 });
        yield screen(names);
      })(),
    );
    const drawn = written.filter((text) => text.startsWith('\u001B[H')).map(bare);
    expect(drawn[0]).toHaveLength(6);
    expect(drawn[0]?.[4]).toBe('… and 18 more');
    const small = drawn.find((lines) => lines.length === 4);
    expect(small?.every((line) => line.length <= 12)).toBe(true);
    expect(drawn.at(-1)).toHaveLength(23);
  });

  it('wraps a long title to two lines, except on a screen with few lines', async () => {
    const { terminal, surface, written, resize } = await terminalOf(22, 12);
    const title = '2 available, 1 busy, 2 people offline, 3 unknown';
    const long = { ...screen(['Ann', 'Bo']), title };
    await drawBoard(
      { surface, terminal, view },
      (async function* () {
        yield long;
        resize({ columns: 22, rows: 6 });
        yield long;
      })(),
    );
    const drawn = written.filter((text) => text.startsWith('\u001B[H')).map(bare);
    expect(drawn[0]).toEqual([
      '2 available, 1 busy,',
      '2 people offline, 3 u…',
      'NAME',
      'Ann',
      'Bo',
      'live · Ctrl-C to quit',
    ]);
    expect(drawn.at(-1)?.slice(0, 2)).toEqual(['2 available, 1 busy, …', 'NAME']);
  });

  it('shows messages on their own lines, at once and for a while, within the height of the terminal', async () => {
    const { terminal, surface: still, written } = await terminalOf(30, 6);
    let time = 0;
    const surface = { ...still, now: () => time };
    const names = Array.from({ length: 20 }, (_, index) => `Ann ${index}`);
    const notices = new BoardNotices();
    await drawBoard(
      { surface, terminal, view, notices },
      (async function* () {
        yield screen(names);
        notices.add('waiting 12 s for the rate limit of the service', 0);
        await Promise.resolve();
        yield screen(names);
        time = 20_000;
        yield screen(names);
      })(),
    );
    const drawn = written.filter((text) => text.startsWith('\u001B[H')).map(bare);
    expect(drawn[1]).toEqual([
      'Support ␛[31m',
      'NAME',
      'Ann 0',
      '… and 19 more',
      'waiting 12 s for the rate lim…',
      'live · Ctrl-C to quit',
    ]);
    expect(drawn.at(-1)).not.toContain('waiting 12 s for the rate lim…');
    expect(written.at(-1)).not.toContain('waiting');
  });

  it.each([
    ['the text of a cell', {}, 'avery', ['Avery Quinn (100)  +1 650 555 0112  yes']],
    ['a number as shown', {}, '650 555 0112', ['Avery Quinn (100)  +1 650 555 0112  yes']],
    ['a number without spaces', {}, '6505550113', ['102  +1 650 555 0113  no']],
    ['a flag as shown', {}, 'yes', ['Avery Quinn (100)  +1 650 555 0112  yes']],
    ['a selected field', { fields: ['id'] }, 'x2', ['x2']],
  ])('finds %s', async (_, settings, filter, expected) => {
    const { terminal, surface, written } = await terminalOf(60, 9);
    const keyboard = new EventEmitter();
    const keys = { setRawMode: () => undefined, pause: () => undefined, resume: () => undefined };
    const stdin = { isTerminal: true, stream: Object.assign(keyboard, keys) };
    const rows = [
      { id: 'x1', to: '100', number: '+16505550112', isRead: true },
      { id: 'x2', to: '102', number: '+16505550113', isRead: false },
    ];
    const calls: View<(typeof rows)[number]> = {
      columns: [
        {
          key: 'to',
          title: 'TO',
          value: ({ to }) => to,
          shown: ({ to }) => (to === '100' ? 'Avery Quinn (100)' : to),
        },
        { key: 'number', title: 'NUMBER', kind: 'phone', value: ({ number }) => number },
        { key: 'isRead', title: 'READ', value: ({ isRead }) => isRead },
      ],
    };
    const source = (async function* () {
      yield { title: 'Calls', rows, footer: 'live', changed: [] };
      await new Promise(() => undefined);
    })();
    const board = { surface: { ...surface, ...settings }, terminal, view: calls, stdin };
    const done = drawBoard(board, source);
    const drawn = (): readonly string[] => bare(written.findLast((text) => text.startsWith('\u001B[H')));
    await eventually(() => expect(drawn().length).toBeGreaterThan(3));
    keyboard.emit('data', Buffer.from(`/${filter}\r`));
    await eventually(() => expect(drawn().slice(2, -1)).toEqual(expected));
    keyboard.emit('data', Buffer.from('q'));
    await done;
  });

  it('filters, sorts, scrolls and explains itself by keys, and ends with q', async () => {
    const { terminal, surface, written } = await terminalOf(60, 7);
    const keyboard = new EventEmitter();
    const modes: boolean[] = [];
    const stream: Keyboard['stream'] = Object.assign(keyboard, {
      setRawMode: (isRaw: boolean) => void modes.push(isRaw),
      pause: () => undefined,
      resume: () => undefined,
    });
    const stdin = { isTerminal: true, stream };
    let isClosed = false;
    const source = (async function* () {
      try {
        yield { ...screen(['b1', 'c2', 'a3', 'a4', 'a10', 'd5']), help: [['NAME', 'who'] as const] };
        await new Promise(() => undefined);
      } finally {
        isClosed = true;
      }
    })();
    const drawn = (): readonly string[] => bare(written.findLast((text) => text.startsWith('\u001B[H')));
    const press = async (keys: string, check: () => void): Promise<void> => {
      keyboard.emit('data', Buffer.from(keys));
      await eventually(check);
    };
    const done = drawBoard({ surface, terminal, view, stdin }, source);
    await eventually(() => expect(drawn().slice(1, -1)).toEqual(['NAME', 'b1', 'c2', 'a3', '… and 3 more']));
    expect(drawn().at(-1)).toBe('live · q quit · / filter · s sort · ? help');
    const rows =
      (...expected: readonly string[]) =>
      () =>
        expect(drawn().slice(2, -1)).toEqual(expected);
    await press('\u001B[B', rows('c2', 'a3', 'a4', '… rows 2 to 4 of 6'));
    await press('\u001B[6~\u001B[6~', rows('a4', 'a10', 'd5', '… rows 4 to 6 of 6'));
    await press('\u001B[H', rows('b1', 'c2', 'a3', '… and 3 more'));
    await press('s', rows('a3', 'a4', 'a10', '… and 3 more'));
    await press('/A', () => expect(drawn().at(-1)).toBe('Filter: A▏ Enter apply · Esc clear'));
    await press('\r', () => {
      rows('a3', 'a4', 'a10')();
      expect(drawn().at(-1)).toBe('filter "A" · by NAME · q quit · / filter · s sort · ? help');
    });
    await press('/\u007Fxq\r', () =>
      expect(drawn()[1]).toBe('No rows match the filter. Press Esc to clear it.'),
    );
    await press('\u001B', rows('a3', 'a4', 'a10', '… and 3 more'));
    // A pasted text is not a series of commands, but it can be a filter.
    await press('\u001B[200~sq?/a\n\u001B[201~s', rows('b1', 'c2', 'a3', '… and 3 more'));
    await press('/\u001B[200~a1\nq', () =>
      expect(drawn().at(-1)).toBe('Filter: a1q▏ Enter apply · Esc clear'),
    );
    await press('\u001B[201~\u007F', () => expect(drawn().slice(2, -1)).toEqual(['a10']));
    await press('\u001B', rows('b1', 'c2', 'a3', '… and 3 more'));
    await press('s', rows('a3', 'a4', 'a10', '… and 3 more'));
    await press('?', () => expect(drawn()[1]).toMatch(/^q, Ctrl-C +quit$/));
    await press('?', rows('a3', 'a4', 'a10', '… and 3 more'));
    keyboard.emit('data', Buffer.from('q'));
    expect(await done).toBe(true);
    expect([modes, isClosed, keyboard.listenerCount('data')]).toEqual([[true, false], false, 0]);
    expect(written.at(-1)).toBe('Support ␛[31m\nNAME\nb1\nc2\na3\na4\na10\nd5\nlive\n');
  });

  it.each([
    [80, 24],
    [40, 20],
  ])(
    'shows its whole help, filter, order and hidden columns on %i by %i characters',
    async (columns, rows) => {
      const { terminal, surface, written } = await terminalOf(columns, rows);
      const keyboard = new EventEmitter();
      const stream: Keyboard['stream'] = Object.assign(keyboard, {
        setRawMode: () => undefined,
        pause: () => undefined,
        resume: () => undefined,
      });
      const wide: View<Row> = {
        columns: ['NAME', 'PRESENCE', 'QUEUE CALLS', 'TELEPHONE STATE', 'MESSAGE'].map((title) => ({
          key: title.toLowerCase(),
          title,
          value: (row) => `${row.name} of ${title}`.padEnd(30, '.'),
        })),
      };
      const help = [
        ['FOR', 'time in this state; for a call, time since its start. 5m+ is at least five minutes'],
        ['QUEUE CALLS', 'whether the person accepts calls from queues'],
      ] as const;
      const source = (async function* () {
        yield { ...screen(['b1', 'a2']), footer: 'live · 02:41:28 UTC', help };
        await new Promise(() => undefined);
      })();
      const drawn = (): readonly string[] => bare(written.findLast((text) => text.startsWith('\u001B[H')));
      const flat = (): string => drawn().join(' ').replaceAll(/\s+/g, ' ');
      const done = drawBoard({ surface, terminal, view: wide, stdin: { isTerminal: true, stream } }, source);
      await eventually(() => expect(flat()).toMatch(/Hidden: .*MESSAGE; .* live · 02:41:28 UTC/));
      keyboard.emit('data', Buffer.from('s/b\r'));
      await eventually(() => expect(flat()).toContain('filter "b"'));
      expect(flat()).toContain('live · 02:41:28 UTC');
      expect(flat()).toContain('by NAME');
      expect(drawn().at(-1)).toContain('q quit · / filter · s sort · ? help');
      keyboard.emit('data', Buffer.from('?'));
      await eventually(() => expect(flat()).toContain('Ctrl-C'));
      for (const [term, meaning] of help) expect(flat()).toContain(`${term} ${meaning}`);
      expect(drawn().length).toBeLessThanOrEqual(rows);
      expect(drawn().filter((line) => line.length > columns)).toEqual([]);
      keyboard.emit('data', Buffer.from('q'));
      await done;
    },
  );

  it('restores the terminal at once when it is aborted, and when the screens fail', async () => {
    const { terminal, surface, written } = await terminalOf(40, 10);
    const stop = new AbortController();
    const failing = drawBoard(
      { surface, terminal, view, signal: stop.signal },
      (async function* () {
        yield screen([]);
        stop.abort();
        await Promise.resolve();
        throw new Error('broken');
      })(),
    );
    await expect(failing).rejects.toThrow('broken');
    expect(bare(written[1])).toEqual(['Support ␛[31m', 'Nobody.', 'live · Ctrl-C to quit']);
    expect(written.filter((text) => text.includes('\u001B[?1049l'))).toHaveLength(1);
  });
});

it('a footer that is wider than the terminal is folded', async () => {
  const { terminal, surface, written } = await terminalOf(40, 12);
  const footer = 'live · 12:00:05 UTC · events missed, all read again at 12:00:00';
  const source = (async function* () {
    yield await Promise.resolve({ ...screen(['Ann']), footer });
  })();
  await drawBoard({ surface, terminal, view }, source);
  expect(bare(written[1]).slice(-3).join(' ')).toBe(`${footer} Ctrl-C to quit`);
});

describe('the notes of a board', () => {
  const columns = ['NAME', 'FOR'].map((title) => ({ key: title, title, value: (row: Row) => row.name }));
  const notes = [{ column: 'FOR', text: 'FOR: 5m+ means at least 5 minutes' }];
  const drawnOn = async (width: number, height: number, names: readonly string[]) => {
    const { terminal, surface, written } = await terminalOf(width, height);
    await drawBoard(
      { surface, terminal, view: { columns } },
      (async function* () {
        yield await Promise.resolve({ ...screen(names), notes });
      })(),
    );
    return bare(written[1]);
  };

  it('explain the cells of a column that is shown', async () => {
    expect(await drawnOn(60, 10, ['Ann'])).toEqual([
      'Support ␛[31m',
      'NAME  FOR',
      'Ann   Ann',
      'FOR: 5m+ means at least 5 minutes',
      'live · Ctrl-C to quit',
    ]);
  });

  it('say how to show a hidden column instead of explaining it', async () => {
    const lines = await drawnOn(24, 12, ['Ann Extraordinary']);
    expect(lines.slice(3, -1).join(' ')).toBe('Hidden: FOR; use --fields or a wider window');
  });

  it('take no line from the rows', async () => {
    const lines = await drawnOn(60, 6, ['Ann', 'Bo', 'Cem']);
    expect(lines).toEqual([
      'Support ␛[31m',
      'NAME  FOR',
      'Ann   Ann',
      'Bo    Bo',
      'Cem   Cem',
      'live · Ctrl-C to quit',
    ]);
  });
});

describe('a board with values below its rows', () => {
  interface Person {
    readonly name: string;
    readonly call: string;
  }
  const people: View<Person> = {
    columns: [
      { key: 'name', title: 'NAME', priority: 2, value: (row) => row.name },
      { key: 'call', title: 'CALL', priority: 1, least: 30, below: '', value: (row) => row.call },
    ],
  };

  it.each([12, 8, 6])('fills %i lines and never hides the footer', async (height) => {
    const { terminal, surface, written } = await terminalOf(20, height);
    const rows = ['Ann', 'Bo', 'Cem', 'Dee', 'Eve'].map((name, at) => ({
      name,
      call: at % 2 === 0 ? '+1 650 555 0199' : '',
    }));
    await drawBoard(
      { surface, terminal, view: people },
      (async function* () {
        yield await Promise.resolve({ title: 'Support', rows, footer: 'live', changed: [] });
      })(),
    );
    const lines = bare(written[1]);
    expect(lines.length).toBeLessThanOrEqual(height);
    expect(lines.at(-1)).toContain('Ctrl-C');
    expect(lines.slice(2, 4)).toEqual(['Ann', '  +1 650 555 0199']);
    const names = rows.filter(({ name }) => lines.includes(name)).length;
    // A screen of more than ten lines has the state of the connection above the keys.
    expect(lines.at(height > 10 ? -3 : -2)).toBe(
      names === rows.length ? '  +1 650 555 0199' : `… and ${5 - names} more`,
    );
  });
});
