import { resourceMembers, type ResourceName, type Resources } from './resources.ts';

declare const valueType: unique symbol;

/** A member of an object. `T` includes undefined if the member may be missing. */
interface Member<out T> {
  /** Used by the compiler only; never present at run time. */
  readonly [valueType]?: T;
}

/** The parts of JSON Schema (2020-12) that outputs need. `T` is the described type. */
export interface Schema<out T = unknown> extends Member<T> {
  readonly [keyword: string]: unknown;
}

interface Optional<out T> extends Member<T | undefined> {
  readonly optional: Schema<T>;
}

/** The members of an object, by their names. */
export type Members<M> = { readonly [K in keyof M]: Member<M[K]> };

/** An object with these members; those that may be undefined may also be missing. */
export type ObjectOf<M> = {
  readonly [K in keyof M as undefined extends M[K] ? never : K]: M[K];
} & { readonly [K in keyof M as undefined extends M[K] ? K : never]?: M[K] };

export interface CommandOutput {
  /** One document, one record per line, or no output of ucctl. */
  readonly gives: 'document' | 'lines' | 'nothing';
  readonly schema: Schema;
  /** Names of the members of a record, for `--json=help` and completion. Empty if they are not fixed. */
  readonly fields: readonly string[];
}

/** A definition with a schema, such as one of rows. */
export interface Described<out T = unknown> {
  readonly schema: Schema<T>;
}

/** A shape: a definition of rows, a schema, or a function that creates one on demand. */
type Shape<T = unknown> = Described<T> | Schema<T> | (() => Schema<T>);

type Id = string | number;

export const text: Schema<string> = { type: 'string' };
export const time: Schema<string> = { type: 'string', format: 'date-time' };
export const integer: Schema<number> = { type: 'integer' };
export const number: Schema<number> = { type: 'number' };
export const flag: Schema<boolean> = { type: 'boolean' };
export const anything: Schema = {};
/** An ID: a number if it is a safe integer, else its digits as text. */
export const id: Schema<Id> = { type: ['integer', 'string'] };

/** Creates the schema of a text with one of the given values. */
export function oneOf<const V extends string | number>(...values: readonly V[]): Schema<V> {
  return { enum: values };
}

/** Creates the schema of a text whose type is narrower than its schema. */
export function textOf<T extends string | undefined>(): Schema<T> {
  return text as Schema<T>;
}

/** Creates the schema of a list of items of one shape. */
export function array<T>(items: Shape<T>): Schema<readonly T[]> {
  return { type: 'array', items: schemaOf(items) };
}

/** Creates the schema of one of several shapes. */
export function anyOf(...shapes: readonly Shape[]): Schema {
  return { anyOf: shapes.map((shape) => schemaOf(shape)) };
}

/** Creates the schema of one object with the members of several shapes. */
export function allOf(...shapes: readonly Shape[]): Schema {
  return { allOf: shapes.map((shape) => schemaOf(shape)) };
}

/** Creates the schema of a required member that may be null. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return { anyOf: [schema, { type: 'null' }] };
}

/** Creates the schema of a member that may be missing. */
export function optional<T>(schema: Schema<T>): Optional<T> {
  return { optional: schema };
}

/**
 * Creates the schema of an object with these members. Additional members are valid, so that later versions can add
 * some.
 */
export function object<M>(members: Members<M>): Schema<ObjectOf<M>> {
  const entries = Object.entries<Member<unknown>>(members);
  const required = entries.filter(([, member]) => !isOptional(member)).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, member]) => [name, isOptional(member) ? member.optional : member]),
    ),
    ...(required.length > 0 && { required }),
  };
}

function isOptional(member: Member<unknown>): member is Optional<unknown> {
  return 'optional' in member;
}

/** Creates the schema of an object with arbitrary member names and values of one shape. */
export function mapOf<T>(schema: Schema<T>): Schema<Readonly<Record<string, T>>> {
  return { type: 'object', additionalProperties: schema };
}

/** Creates the schema of a resource of the service by its contract, optionally with more members. */
export function resource<N extends ResourceName, M>(
  name: N,
  more?: Members<M>,
): Schema<Resources[N] & ObjectOf<M>> {
  const reference = { $ref: `#/$defs/${name}` };
  return more ? { allOf: [reference, object(more)] } : reference;
}

/** Describes the output of a command that writes one document. */
export function record(what: Shape): CommandOutput {
  return outputOf('document', () => schemaOf(what));
}

/** Describes the output of a command that writes a list as one document. */
export function list(items: Shape): CommandOutput {
  return outputOf('document', () => array(items));
}

/** Describes the output of a command that writes one record as an object, several as a list. */
export function recordOrList(one: Shape, of: Shape = one): CommandOutput {
  return outputOf('document', () => anyOf(one, array(of)));
}

/** Live events and lists that are written while they are read: one record per line. */
export function lines(what: Shape): CommandOutput {
  return outputOf('lines', () => schemaOf(what));
}

export const nothing: CommandOutput = { gives: 'nothing', schema: { not: {} }, fields: [] };

/** Creates schema and fields on demand, because most runs need neither. */
function outputOf(gives: CommandOutput['gives'], make: () => Schema): CommandOutput {
  return {
    gives,
    get schema() {
      return make();
    },
    get fields() {
      return fieldsOf(make());
    },
  };
}

function schemaOf<T>(shape: Shape<T>): Schema<T> {
  if (typeof shape === 'function') return shape();
  return isDescribed(shape) ? shape.schema : shape;
}

function isDescribed<T>(shape: Schema<T> | Described<T>): shape is Described<T> {
  return 'schema' in shape;
}

/** Members of a record, or of the records of a list, in the order of the schema. */
function fieldsOf(schema: Schema): readonly string[] {
  const { $ref, properties, items, anyOf: any, allOf: all } = schema as SchemaParts;
  const own = $ref === undefined ? [] : membersOf($ref);
  const parts = [...(all ?? []), ...(any ?? []), ...(items ? [items] : [])];
  return [...new Set([...own, ...Object.keys(properties ?? {}), ...parts.flatMap(fieldsOf)])];
}

/** The keywords of a schema that describe members. */
export interface SchemaParts {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly additionalProperties?: unknown;
  readonly properties?: Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** `#/$defs/Message` refers to the resource Message. */
function membersOf(reference: string): readonly string[] {
  const all: Readonly<Record<string, readonly string[]>> = resourceMembers;
  return all[reference.slice(reference.lastIndexOf('/') + 1)] ?? [];
}
