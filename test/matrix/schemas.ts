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

/** Names of the members of a document or of its rows in the schema; undefined when they are not fixed. */
export function membersOf(schema: Schema): readonly string[] | undefined {
  const defs = (schema['$defs'] ?? {}) as Readonly<Record<string, Schema>>;
  const walk = (one: Schema): readonly string[] => {
    const { $ref, properties, items, anyOf, allOf } = one as {
      readonly $ref?: string;
      readonly properties?: Schema;
      readonly items?: Schema;
      readonly anyOf?: readonly Schema[];
      readonly allOf?: readonly Schema[];
    };
    const parts = [...(anyOf ?? []), ...(allOf ?? []), ...(items ? [items] : [])];
    const named = $ref === undefined ? undefined : defs[$ref.replace('#/$defs/', '')];
    return [...Object.keys(properties ?? {}), ...(named ? walk(named) : []), ...parts.flatMap(walk)];
  };
  const names = [...new Set(walk(schema))];
  return names.length > 0 ? names : undefined;
}
