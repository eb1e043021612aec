import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  integer,
  lines,
  list,
  optional,
  record,
  recordOrList,
  text,
} from '../../src/runtime/output-schema.ts';
import { rows, source, type RowOf } from '../../src/runtime/rows.ts';

interface Book {
  readonly title: string;
  readonly by?: string;
}

const bookRows = rows(
  { source: source<Book>(), empty: 'No books.' },
  {
    title: { schema: text, from: (book) => book.title, title: 'TITLE', record: { title: 'Name' } },
    author: { schema: optional(text), from: (book) => book.by, key: 'by', title: 'BY', kind: 'status' },
    pages: { schema: optional(integer), title: 'PAGES', kind: 'number', in: 'asked' },
    cover: { title: 'COVER', cell: (row) => row.title.toUpperCase(), in: 'record' },
    isbn: { schema: optional(text) },
  },
);
type BookRow = RowOf<typeof bookRows>;

describe('a definition of rows', () => {
  const row = bookRows.row({ isbn: '1' }, { title: 'Emma', by: 'Austen' });

  it('builds a row from its source and its context', () => {
    expect(row).toEqual({ isbn: '1', title: 'Emma', author: 'Austen' });
    expectTypeOf(row.title).toEqualTypeOf<string>();
    expectTypeOf(row.author).toEqualTypeOf<string | undefined>();
    expectTypeOf(row).toEqualTypeOf<BookRow>();
  });

  it('has columns for members with a title, in their order', () => {
    const { columns, empty } = bookRows.list;
    expect(columns.map(({ key }) => key)).toEqual(['title', 'by']);
    expect(bookRows.listWith('pages').columns.map(({ key }) => key)).toEqual(['title', 'by', 'pages']);
    expect(bookRows.pick(['pages', 'title']).columns.map(({ title }) => title)).toEqual(['PAGES', 'TITLE']);
    expect(empty).toBe('No books.');
    expect(columns[1]).toMatchObject({ title: 'BY', kind: 'status' });
    expect(columns.map(({ value }) => value(row))).toEqual(['Emma', 'Austen']);
  });

  it('shows a single row with its own columns and titles', () => {
    const { columns } = bookRows.record;
    expect(columns.map(({ title }) => title)).toEqual(['Name', 'BY', 'PAGES', 'COVER']);
    expect(columns.map(({ value }) => value(row))).toEqual(['Emma', 'Austen', undefined, 'EMMA']);
  });

  it('has the schema and the fields of its members, without columns that are not members', () => {
    expect(bookRows.schema).toEqual({
      type: 'object',
      properties: {
        title: { type: 'string' },
        author: { type: 'string' },
        pages: { type: 'integer' },
        isbn: { type: 'string' },
      },
      required: ['title'],
    });
    for (const output of [list(bookRows), record(bookRows), lines(bookRows), recordOrList(bookRows)]) {
      expect(output.fields).toEqual(['title', 'author', 'pages', 'isbn']);
    }
    expect(list(bookRows).schema).toEqual({ type: 'array', items: bookRows.schema });
  });

  it('adds to the members of a resource of the service', () => {
    const lined = rows(
      { of: 'ForwardingNumber' },
      { label: { title: 'LABEL' }, line: { schema: integer, title: 'LINE' } },
    );
    const own = ['id', 'phoneNumber', 'label', 'type', 'features', 'flipNumber', 'uri'];
    expect(list(lined).fields).toEqual([...own, 'line']);
    expect(lined.schema).toMatchObject({
      allOf: [{ $ref: '#/$defs/ForwardingNumber' }, { required: ['line'] }],
    });
    expect(lined.list.columns.map(({ key }) => key)).toEqual(['label', 'line']);
    expectTypeOf<RowOf<typeof lined>['line']>().toEqualTypeOf<number>();
    expectTypeOf<RowOf<typeof lined>['uri']>().toEqualTypeOf<string | undefined>();
  });

  it('rejects values of another type than the schema at compile time', () => {
    const given = { source: source<Book>() };
    // @ts-expect-error text may not be missing
    rows(given, { by: { schema: text, from: (book) => book.by } });
    // @ts-expect-error a row has no such member
    rows({}, { name: { schema: text, title: 'NAME', cell: (one) => one.nobody } });
    expect(given).toEqual({ source: {} });
  });
});
