import { describe, expect, it } from 'vitest';
import { boardView } from '../../src/features/board/view.ts';
import type { BoardRow } from '../../src/features/board/board.rows.ts';
import { tableRenderer } from '../../src/output/table.ts';
import type { Surface } from '../../src/output/renderer.ts';
import type { Column } from '../../src/runtime/output.ts';
import { plainSurface } from '../support/surface.ts';

interface Person {
  readonly number: string | undefined;
  readonly name: string;
  readonly state: string;
}

const columns: readonly Column<Person>[] = [
  { key: 'state', title: 'STATE', kind: 'status', priority: 9, value: (row) => row.state },
  { key: 'number', title: 'NUMBER', priority: 7, value: (row) => row.number },
  { key: 'name', title: 'NAME', priority: 8, least: 12, apartBy: 'number', value: (row) => row.name },
];

async function draw<T extends object>(
  rows: readonly T[],
  view: { readonly columns: readonly Column<T>[] },
  surface: Partial<Surface>,
): Promise<{ readonly lines: readonly string[]; readonly hidden: readonly string[] }> {
  let text = '';
  let hidden: readonly string[] = [];
  const target = plainSurface({
    write: (piece) => Promise.resolve(void (text += piece)),
    onHidden: (titles) => (hidden = titles),
    isTerminal: true,
    ...surface,
  });
  await tableRenderer(target).list(rows, view);
  return { lines: text.split('\n').slice(1, -1), hidden };
}

const smiths: readonly Person[] = [
  { state: 'available right now', number: '104', name: 'Chris Smith' },
  { state: 'busy', number: '102', name: 'Dana Okafor' },
  { state: 'busy', number: '105', name: 'Chris Smith' },
];

describe('equal names', () => {
  it('get their numbers if the terminal has no room for the column of numbers', async () => {
    expect(await draw(smiths, { columns }, { columns: 38 })).toEqual({
      lines: [
        'available right now  Chris Smith (104)',
        'busy                 Dana Okafor',
        'busy                 Chris Smith (105)',
      ],
      hidden: ['NUMBER'],
    });
  });

  it('are not changed next to the column of numbers, or if the user selected the columns', async () => {
    const wide = await draw(smiths, { columns }, { columns: 80 });
    expect(wide.lines[0]).toBe('available right now  104     Chris Smith');
    const chosen = await draw(smiths, { columns }, { columns: 38, fields: ['state', 'name'] });
    expect(chosen.lines[2]).toBe('busy                 Chris Smith');
  });

  it('are truncated before the number', async () => {
    const { lines } = await draw(smiths, { columns }, { columns: 33 });
    expect(lines).toEqual([
      'available right now  Chris… (104)',
      'busy                 Dana Okafor',
      'busy                 Chris… (105)',
    ]);
  });

  it('include different names that look alike after truncation', async () => {
    const rows = [
      { state: 'available right now', number: '104', name: 'Maximiliane Huber' },
      { state: 'busy', number: '105', name: 'Maximiliane Meier' },
      { state: 'busy', number: undefined, name: 'Maximilian' },
    ];
    const { lines } = await draw(rows, { columns }, { columns: 33 });
    expect(lines).toEqual([
      'available right now  Maxim… (104)',
      'busy                 Maxim… (105)',
      'busy                 Maximilian',
    ]);
  });
});

describe('a board of 40 columns', () => {
  const row = (name: string, extensionNumber: string, change: Partial<BoardRow> = {}): BoardRow => ({
    extensionId: extensionNumber,
    extensionNumber,
    name,
    state: 'not taking queue calls',
    since: '2026-11-23T10:00:00.000Z',
    isStartKnown: false,
    ...change,
  });
  const view = boardView({ format: 'table' }, () => Date.parse('2026-11-23T10:00:00.000Z'));
  const names = ['Chris Smith', 'Maximiliane Oberhuber', 'Wolfeschlegelsteinhausen'];

  it.each(names)('tells two people named %s apart', async (name) => {
    const rows = [
      row(name, '104', { reason: 'no response' }),
      row(name, '105'),
      row(name, '106', { state: 'available' }),
    ];
    const { lines } = await draw(rows, view, { columns: 40 });
    expect(lines.map((line) => /10[456]/u.exec(line)?.[0])).toEqual(['104', '105', '106']);
    expect(lines.every((line) => line.length <= 40 && line.includes(name.slice(0, 5)))).toBe(true);
  });
});
