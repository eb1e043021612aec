import { describe, expect, it } from 'vitest';
import { fitColumns } from '../../src/output/fit-columns.ts';
import type { Column } from '../../src/runtime/output.ts';

type Values = Readonly<Record<string, string>>;

const column = (key: string, priority: number, more: Partial<Column<Values>> = {}): Column<Values> => ({
  key,
  title: key,
  value: (row) => row[key],
  priority,
  ...more,
});

/** The widths of the shown columns of one row, and the keys of the hidden columns. */
function fitted(columns: readonly Column<Values>[], values: Values, width: number | undefined) {
  const { shown, below, hidden } = fitColumns(columns, ({ key }) => [values[key] ?? ''], {
    header: true,
    columns: width,
  });
  return {
    shown: Object.fromEntries(shown.map((one) => [one.column.key, one.width])),
    hidden,
    ...(below.length > 0 && { below: below.map(({ key }) => key) }),
  };
}

describe('a list of messages', () => {
  const columns = [
    column('id', 9, { kind: 'id' }),
    column('type', 6),
    column('from', 8, { kind: 'phone' }),
    column('created', 5, { kind: 'time' }),
    column('availability', 1),
    column('text', 9, { folds: 3 }),
  ];
  const values = {
    id: '401654758001',
    type: 'VoiceMail',
    from: '+16505550110',
    created: 'Nov 21 14:03',
    availability: 'Alive',
    text: 'My order has not come, and nobody answers the phone. '.repeat(2).trim(),
  };

  it('shows all columns in a pipe', () => {
    expect(fitted(columns, values, undefined)).toEqual({
      shown: { id: 12, type: 9, from: 12, created: 12, availability: 12, text: 105 },
      hidden: [],
    });
  });

  it.each([
    [40, { id: 12, from: 12, text: 12 }, ['type', 'created', 'availability']],
    [80, { id: 12, type: 9, from: 12, created: 12, text: 27 }, ['availability']],
    [120, { id: 12, type: 9, from: 12, created: 12, availability: 12, text: 53 }, []],
  ])('gives the text the remaining width of %i columns', (width, shown, hidden) => {
    expect(fitted(columns, values, width)).toEqual({ shown, hidden });
  });
});

it('gives width to sentences rather than to columns that are less important than a hidden one', () => {
  const columns = [column('text', 9, { folds: 3 }), column('to', 5), column('files', 1)];
  const values = { text: 'My order has not come. '.repeat(3).trim(), to: 'x'.repeat(24), files: '1' };
  expect(fitted(columns, values, 34)).toEqual({ shown: { text: 34 }, hidden: ['to', 'files'] });
  expect(fitted(columns, { ...values, text: 'hello' }, 30)).toEqual({
    shown: { text: 5, files: 5 },
    hidden: ['to'],
  });
});

it('shows names completely rather than details', () => {
  const columns = [column('to', 6), column('result', 6), column('direction', 4)];
  const values = { to: '+16505550112 (Dana Okafor)', result: 'Accepted', direction: 'Inbound' };
  expect(fitted(columns, values, 40)).toEqual({ shown: { to: 26, result: 8 }, hidden: ['direction'] });
  expect(fitted(columns, values, 47).hidden).toEqual([]);
});

it('hides the least important column, and shows a narrower one that fits instead', () => {
  const columns = [column('name', 9), column('address', 5), column('count', 1)];
  const values = { name: 'Dana Okafor', address: 'x'.repeat(24), count: '7' };
  expect(fitted(columns, values, 30)).toEqual({ shown: { name: 11, count: 5 }, hidden: ['address'] });
});

it('hides columns without values first, and marks them', () => {
  const columns = [column('recording', 9), column('name', 1)];
  expect(fitted(columns, { recording: '', name: 'Dana Okafor' }, 15)).toEqual({
    shown: { name: 11 },
    hidden: ['recording (empty)'],
  });
});

it('shows columns without values only if all others have their whole width', () => {
  const columns = [column('what', 2), column('code', 9)];
  const values = { what: 'Dana Okafor (102) in Support', code: '' };
  expect(fitted(columns, values, 34)).toEqual({ shown: { what: 28, code: 4 }, hidden: [] });
  expect(fitted(columns, values, 33)).toEqual({ shown: { what: 28 }, hidden: ['code (empty)'] });
});

it('does not show an id in place of a name that does not fit', () => {
  const columns = [column('state', 9), column('name', 4), column('agent id', 2, { kind: 'id' })];
  const values = { state: 'added', name: 'Bartholomew Featherstonehaugh', 'agent id': '171857106' };
  expect(fitted(columns, values, 20)).toEqual({ shown: { state: 5 }, hidden: ['name', 'agent id'] });
});

describe('a value without which a row cannot be understood', () => {
  const columns = [
    column('state', 9),
    column('name', 8),
    column('call', 6, { least: 20, below: '' }),
    column('presence', 3),
  ];
  const values = { state: 'ringing', name: 'Dana Okafor', call: '+1 650 555 0199 (queue)', presence: 'Busy' };

  it('moves below its row if its column does not fit, and is not reported as hidden', () => {
    expect(fitted(columns, values, 42).shown).toMatchObject({ call: 20 });
    expect(fitted(columns, values, 41)).toEqual({
      shown: { state: 7, name: 11, presence: 8 },
      hidden: [],
      below: ['call'],
    });
  });

  it('is not below a row without the value', () => {
    expect(fitted(columns, { ...values, call: '' }, 30).below).toBeUndefined();
  });
});

it('moves a sentence below its row rather than show it in less than 24 columns', () => {
  const columns = [column('from', 9, { kind: 'phone' }), column('text', 9, { folds: 3, below: '' })];
  const values = { from: '+1 650 555 0199', text: 'My order has not come, and nobody answers.' };
  expect(fitted(columns, values, 41).shown).toEqual({ from: 15, text: 24 });
  expect(fitted(columns, values, 40)).toEqual({ shown: { from: 15 }, hidden: [], below: ['text'] });
});

it('hides the last of equally important columns', () => {
  const columns = [column('one', 3), column('two', 3), column('three', 3)];
  const values = { one: 'x'.repeat(12), two: 'x'.repeat(12), three: 'x'.repeat(12) };
  expect(fitted(columns, values, 30).hidden).toEqual(['three']);
});

describe('a cell of one word', () => {
  it('is not cut while another column can be hidden', () => {
    const columns = [column('state', 2), column('email', 5)];
    const values = { state: 'Enabled', email: 'dana.okafor@example.com' };
    expect(fitted(columns, values, 31)).toEqual({ shown: { email: 23 }, hidden: ['state'] });
    expect(fitted(columns, values, 32)).toEqual({ shown: { state: 7, email: 23 }, hidden: [] });
  });

  it('may be cut if it is wider than half of the terminal, such as a path', () => {
    const columns = [column('state', 2), column('file', 5)];
    const values = { state: 'saved', file: `/home/dana/${'x'.repeat(80)}` };
    expect(fitted(columns, values, 60)).toEqual({ shown: { state: 5, file: 53 }, hidden: [] });
  });

  it('is cut to the terminal as the only column', () => {
    expect(fitted([column('id', 1, { kind: 'id' })], { id: '401654758001' }, 10).shown).toEqual({ id: 10 });
  });
});

it('shortens names to 16 columns before it hides an important column, and headings never', () => {
  const columns = [column('name', 9), column('queue calls', 7)];
  const values = { name: 'Bartholomew Featherstonehaugh', 'queue calls': 'on' };
  expect(fitted(columns, values, 30)).toEqual({ shown: { name: 17, 'queue calls': 11 }, hidden: [] });
  expect(fitted(columns, values, 28)).toEqual({ shown: { name: 28 }, hidden: ['queue calls'] });
});

it.each([80, 60, 50, 40, 30, 20, 10])(
  'keeps the width of a column that must not be cut, in %i columns',
  (width) => {
    const columns = [column('id', 8, { whole: true }), column('state', 7), column('what', 2)];
    const values = { id: '20260105-090000-3fa9', state: 'x'.repeat(24), what: 'x'.repeat(24) };
    expect(fitted(columns, values, width).shown['id']).toBe(20);
  },
);
