import type { CellValue, Column, ColumnKind, View } from './output.ts';
import {
  object,
  resource,
  type Described,
  type Members,
  type ObjectOf,
  type Schema,
} from './output-schema.ts';
import type { ResourceName, Resources } from './resources.ts';

/** How a column looks where it is not only a value. */
interface Look<R> {
  /** Heading of the column. Without a title there is no column. */
  readonly title?: string;
  readonly kind?: ColumnKind;
  /** The text of the cell; the value of the member without it. */
  readonly cell?: (row: R) => CellValue;
}

/**
 * One member of a row, one column of it, or both: `S` is what the row is made from, `R` the row, `T` the member. One without `schema` is a column
 * only, or shows a member of the resource that the row is.
 */
interface Field<S, R, T> extends Look<R> {
  readonly schema?: Members<{ readonly value: T }>['value'];
  /** How the member is read from what the row is made from; absent for members that the row comes with. */
  readonly from?: (source: S) => NoInfer<T>;
  /** Name for `--fields` and the csv header, where it is not the name of the member. */
  readonly key?: string;
  /** As in `Column`. */
  readonly priority?: number;
  readonly least?: number;
  readonly whole?: boolean;
  readonly folds?: boolean;
  /** Where the column is shown, when not everywhere: in lists, with one record, or in lists only where it is asked for. */
  readonly in?: 'list' | 'record' | 'asked';
  /** What differs where the row is the only one. */
  readonly record?: Look<R>;
}

/** The row that its members and the resource make. */
type Row<N extends ResourceName, M> = ([N] extends [never] ? unknown : Resources[N]) & ObjectOf<M>;

/** What the rows of a definition are. */
export type RowOf<D> = D extends Rows<infer R, never> ? R : never;

/** What is said of all rows of a definition. `S` is what a row is made from, `N` the resource that a row is. */
interface About<S, N extends ResourceName> {
  /** The resource of the service that a row is; its members come before those of the definition. */
  readonly of?: N;
  readonly source?: Source<S>;
  /** For an empty list on a terminal, e.g. `No queues.` */
  readonly empty?: string;
}

declare const sourceType: unique symbol;
interface Source<S> {
  readonly [sourceType]?: (source: S) => void;
}

/** Names the type that rows are made from, for the compiler. */
export function source<S>(): Source<S> {
  return {};
}

/**
 * The one place where the rows of a command are defined: the type of a row, how it is made, its columns, its JSON fields and its JSON Schema.
 * Columns stand in the order of the members.
 */
export function rows<M, S = never, N extends ResourceName = never>(
  about: About<S, N>,
  members: { readonly [K in keyof M]: Field<S, Row<N, M>, M[K]> },
): Rows<Row<N, M>, S> {
  return new Rows(about, members);
}

/** A definition of rows. Nothing of it is computed before it is asked for: it is loaded with the spec of every command of its noun. */
export class Rows<R, in S> implements Described<R> {
  readonly #about: About<S, ResourceName>;
  readonly #fields: Readonly<Record<string, Field<S, R, unknown>>>;

  constructor(about: About<S, ResourceName>, fields: Readonly<Record<string, Field<S, R, unknown>>>) {
    this.#about = about;
    this.#fields = fields;
  }

  /** The JSON Schema of a row. */
  get schema(): Schema<R> {
    const own = Object.entries(this.#fields).flatMap(([name, { schema }]) =>
      schema ? [[name, schema] as const] : [],
    );
    const { of } = this.#about;
    if (of === undefined) return object(Object.fromEntries(own)) as Schema<R>;
    return resource(of, own.length > 0 ? Object.fromEntries(own) : undefined) as Schema<R>;
  }

  /** The columns of a list. */
  get list(): View<R> {
    return this.listWith();
  }

  /** The columns of a list, with some of those that are shown where they are asked for. */
  listWith(...asked: readonly string[]): View<R> {
    return this.#view(
      Object.keys(this.#fields).filter((name) => {
        const place = this.#fields[name]?.in;
        return place === undefined || place === 'list' || (place === 'asked' && asked.includes(name));
      }),
    );
  }

  /** The columns of one row alone. */
  get record(): View<R> {
    const names = Object.keys(this.#fields).filter((name) => this.#fields[name]?.in !== 'list');
    return { columns: names.flatMap((name) => this.#column(name, this.#fields[name]?.record)) };
  }

  /** The columns of these members in this order, for a list that has its own. */
  pick(names: readonly string[], empty?: string): View<R> {
    const view = this.#view(names);
    return empty === undefined ? view : { ...view, empty };
  }

  /** A row: what it comes with, and the members that are read from `source`. */
  row(base: Partial<R>, source: S): R {
    const made = Object.entries(this.#fields).flatMap(([name, { from }]) =>
      from ? [[name, from(source)] as const] : [],
    );
    return { ...base, ...Object.fromEntries(made) } as R;
  }

  #view(names: readonly string[]): View<R> {
    const { empty } = this.#about;
    return { columns: names.flatMap((name) => this.#column(name)), ...(empty !== undefined && { empty }) };
  }

  #column(name: string, look: Look<R> = {}): readonly Column<R>[] {
    const field = this.#fields[name];
    const title = look.title ?? field?.title;
    if (!field || title === undefined) return [];
    const { schema: _, from: _from, in: _in, record: _record, cell, key = name, ...rest } = field;
    const own = (row: R): CellValue => (row as Readonly<Record<string, CellValue>>)[name];
    const kind = look.kind ?? rest.kind;
    const shown: Omit<Column<R>, 'kind'> = { ...rest, key, title, value: look.cell ?? cell ?? own };
    return [kind === undefined ? shown : { ...shown, kind }];
  }
}
