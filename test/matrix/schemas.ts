import type { AnyCommandSpec } from '../../src/runtime/define.ts';
import type { CommandOutput, Schema } from '../../src/runtime/output-schema.ts';
import { schemaValidator } from '../support/json-schema.ts';
import type { Desk } from './desk.ts';

/** The output of `ucctl schema COMMAND`. */
export interface SchemaDocument {
  readonly command: string;
  readonly outputType: CommandOutput['gives'];
  readonly input: Schema;
  readonly output: Schema;
  readonly errors: Schema;
}

const ajv = schemaValidator();
/** Compiled schemas by their text: `schemaOf` returns a new object for each run, and compiling takes longer than the run. */
const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

/** Runs the tool itself. */
export async function schemaOf(desk: Desk, spec: AnyCommandSpec): Promise<SchemaDocument> {
  return desk.json(['schema', ...spec.path]);
}

/** Validation errors of a value, one line each. An invalid schema throws. */
export function problemsOf(schema: Schema, value: unknown): readonly string[] {
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? ajv.compile(schema);
  compiled.set(text, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

interface Parts {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** A schema and all schemas that it combines or refers to, but not those of its members and items. */
function partsOf(root: Schema, one: Schema): readonly Parts[] {
  const defs = (root['$defs'] ?? {}) as Readonly<Record<string, Schema>>;
  const { $ref, anyOf, allOf } = one as Parts;
  const named = $ref === undefined ? undefined : defs[$ref.replace('#/$defs/', '')];
  const more = [...(anyOf ?? []), ...(allOf ?? []), ...(named ? [named] : [])];
  return [one as Parts, ...more.flatMap((part) => partsOf(root, part))];
}

/** Names of the members of a document or of its rows in the schema; undefined when they are not fixed. */
export function membersOf(schema: Schema): readonly string[] | undefined {
  const walk = (one: Schema): readonly string[] =>
    partsOf(schema, one).flatMap(({ properties, items }) =>
      Object.keys(properties ?? {}).concat(items ? walk(items) : []),
    );
  const names = [...new Set(walk(schema))];
  return names.length > 0 ? names : undefined;
}

/** Paths of the members of a document that its schema does not name, where a schema names members. */
export function unnamedMembers(root: Schema, value: unknown, one = root, path = ''): readonly string[] {
  const parts = partsOf(root, one);
  if (Array.isArray(value)) {
    const anyOf = parts.flatMap(({ items }) => items ?? []);
    return value.flatMap((item) => unnamedMembers(root, item, { anyOf }, `${path}[]`));
  }
  const isOpen =
    parts.every(({ properties }) => !properties) || parts.some((part) => part.additionalProperties);
  if (typeof value !== 'object' || value === null || isOpen) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const anyOf = parts.flatMap(({ properties }) => properties?.[name] ?? []);
    return anyOf.length === 0
      ? [`${path}.${name}`]
      : unnamedMembers(root, member, { anyOf }, `${path}.${name}`);
  });
}
