import { describe, expect, it } from 'vitest';
import { fitColumns } from '../../src/output/fit-columns.ts';
import type { Column } from '../../src/runtime/output.ts';

interface Row {
  readonly id: string;
}
const column = (key: string, priority: number, whole = false): Column<Row> => ({
  key,
  title: key,
  value: (row) => row.id,
  priority,
  whole,
});

it('cuts words, and leaves out what is less wanted, before ids, numbers and times', () => {
  const view: readonly Column<Row>[] = [
    { ...column('id', 9), kind: 'id' },
    { ...column('from', 8), kind: 'phone' },
    { ...column('created', 3), kind: 'time' },
    column('text', 7),
  ];
  const values: Readonly<Record<string, string>> = {
    id: '401654758001',
    from: '+16505550110',
    created: '5 min ago',
    text: 'x'.repeat(60),
  };
  const fit = (width: number) =>
    fitColumns(view, ({ key }) => [values[key] ?? ''], { header: true, columns: width }).map((fitted) => [
      fitted.column.key,
      fitted.width,
    ]);
  expect(fit(60)).toEqual([
    ['id', 12],
    ['from', 12],
    ['created', 9],
    ['text', 21],
  ]);
  expect(fit(40)).toEqual([
    ['id', 12],
    ['from', 12],
    ['text', 12],
  ]);
  expect(fit(10)).toEqual([['id', 10]]);
});

describe('a column that is to stay whole', () => {
  const columns = [column('id', 8, true), column('state', 7), column('what', 2)];
  const cells = ({ key }: Column<Row>) => [key === 'id' ? '20260105-090000-3fa9' : 'x'.repeat(24)];
  const fit = (width: number) =>
    fitColumns(columns, cells, { header: true, columns: width }).map((fitted) => [
      fitted.column.key,
      fitted.width,
    ]);

  it.each([80, 60, 50, 40, 30, 20, 10])('keeps its width on %i columns', (width) => {
    expect(fit(width)).toContainEqual(['id', 20]);
  });

  it('lets the others shrink and go', () => {
    expect(fit(50)).toEqual([
      ['id', 20],
      ['state', 13],
      ['what', 13],
    ]);
    expect(fit(32).map(([key]) => key)).toEqual(['id', 'state']);
    expect(fit(10)).toEqual([['id', 20]]);
  });
});
