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
import type { Hint } from '../errors/hint.ts';

/** The presentation of a column. */
interface Look<R> {
  /** Heading of the column. A member without a title has no column. */
  readonly title?: string;
  readonly kind?: ColumnKind;
  /** The content of the cell; by default the value of the member. */
  readonly cell?: (row: R) => CellValue;
}

/**
 * A member of a row, a column, or both. `S` is the type that rows are created from, `R` the row, `T` the member. A field without `schema` is only a
 * column, or shows a member of the resource.
 */
interface Field<S, R, T> extends Look<R> {
  readonly schema?: Members<{ readonly value: T }>['value'];
  /** Reads the member from the source of the row; absent for members that the row already has. */
  readonly from?: (source: S) => NoInfer<T>;
  /** The value in a table, as described in `Column`. */
  readonly shown?: (row: R) => CellValue;
  readonly isIncluded?: boolean;
  /** Name for `--fields` and the csv heading, if it differs from the name of the member. */
  readonly key?: string;
  /** The presentation on a terminal, as described in `Column`. */
  readonly priority?: number;
  readonly least?: number;
  readonly whole?: boolean;
  readonly folds?: true | number;
  readonly below?: string;
  readonly apartBy?: string;
  /** Limits the column to lists, to single records, or to lists that request it. */
  readonly in?: 'list' | 'record' | 'asked';
  /** Properties that differ when a single record is shown. */
  readonly record?: Look<R>;
}

/** The type of a row: the members of the resource and the members of the definition. */
type Row<N extends ResourceName, M> = ([N] extends [never] ? unknown : Resources[N]) & ObjectOf<M>;

/** The row type of a definition. */
export type RowOf<D> = D extends Rows<infer R, never> ? R : never;

/** Properties of a definition of rows. `S` is the type that rows are created from, `N` the resource. */
interface About<S, N extends ResourceName> {
  /** The resource whose members a row has; they precede the members of the definition. */
  readonly of?: N;
  readonly source?: Source<S>;
  /** The text for an empty list on a terminal, e.g. `No queues.` */
  readonly empty?: Hint;
}

declare const sourceType: unique symbol;
interface Source<S> {
  readonly [sourceType]?: (source: S) => void;
}

/** Declares the type that rows are created from. */
export function source<S>(): Source<S> {
  return {};
}

/**
 * Defines the rows of a command in one place: their type, creation, columns, JSON fields and JSON Schema. Columns are in the order of the members.
 */
export function rows<M, S = never, N extends ResourceName = never>(
  about: About<S, N>,
  members: { readonly [K in keyof M]: Field<S, Row<N, M>, M[K]> },
): Rows<Row<N, M>, S> {
  return new Rows(about, members);
}

/**
 * A definition of rows. Everything is computed on demand, because the definition is loaded with every command
 * of its noun.
 */
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

  /** Returns the columns of a list that requests the columns `asked`. */
  listWith(...asked: readonly string[]): View<R> {
    return this.#view(
      Object.keys(this.#fields).filter((name) => {
        const place = this.#fields[name]?.in;
        return place === undefined || place === 'list' || (place === 'asked' && asked.includes(name));
      }),
    );
  }

  /** The columns of a single record. */
  get record(): View<R> {
    const names = Object.keys(this.#fields).filter((name) => this.#fields[name]?.in !== 'list');
    return { columns: names.flatMap((name) => this.#column(name, this.#fields[name]?.record)) };
  }

  /** Returns the columns of these members in this order, for a list with its own selection. */
  pick(names: readonly string[], empty?: Hint): View<R> {
    const view = this.#view(names);
    return empty === undefined ? view : { ...view, empty };
  }

  /** Creates a row: the members of `base`, and those that are read from `source`. */
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
