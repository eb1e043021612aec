import type { AnyCommandSpec } from '../../src/runtime/define.ts';
import type { CommandOutput, Schema } from '../../src/runtime/output-schema.ts';
import { schemaValidator } from '../support/json-schema.ts';
import type { Desk } from './desk.ts';

/** What `ucctl schema COMMAND` says. */
export interface SchemaDocument {
  readonly command: string;
  readonly gives: CommandOutput['gives'];
  readonly input: Schema;
  readonly output: Schema;
  readonly errors: Schema;
}

const ajv = schemaValidator();

/** Asks the tool itself. */
export async function schemaOf(desk: Desk, spec: AnyCommandSpec): Promise<SchemaDocument> {
  return desk.json(['schema', ...spec.path]);
}

/** What is wrong with a value, one line each; a schema that is none throws. */
export function problemsOf(schema: Schema, value: unknown): readonly string[] {
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** Names of the members of a document or of its rows, as the schema has them; undefined where they are not fixed. */
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
