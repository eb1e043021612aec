import type { Context } from '../../runtime/context.ts';
import type { CommandDescription } from '../../runtime/command-description.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { readResourceSchemas } from '../../runtime/resource-schemas.ts';
import { notFoundError, usageError } from '../../errors/command.ts';
import { type CommandOutput, nothing, type Schema } from '../../runtime/output-schema.ts';
import { dryRunListSchema, dryRunSchema, errorSchema } from './error-schema.ts';
import { inputSchema } from '../../runtime/input-schema.ts';
import { commandRows, lineColumns, lineRows, type LineRow } from './schema.rows.ts';

export interface SchemaOptions {
  readonly command: readonly string[];
  readonly list?: boolean;
}

interface Described {
  readonly spec: CommandDescription;
  readonly output: CommandOutput;
}

/** `schema COMMAND` and `schema --list`: writes the schemas of a command, or lists the commands. */
export async function showSchema(ctx: Context, { command, list }: SchemaOptions): Promise<void> {
  if (list && command.length > 0)
    throw usageError('a command and --list cannot be used together', ucctl('schema queue list'));
  if (!list && command.length === 0)
    throw usageError('the command is missing', nextStep`to list all commands: ${ucctl('schema --list')}`);
  const all = await describeAll(ctx);
  if (list) return ctx.out.list(all.map(lineOf), lineRows.pick(lineColumns));
  const name = command.flatMap((word) => word.split(' ')).join(' ');
  const found = all.find(({ spec }) => spec.path.join(' ') === name);
  if (!found) throw notFoundError(`command "${name}" not found`, ucctl('schema --list'));
  const { spec, output } = found;
  const { schema } = output;
  const $defs = definitionsOf(schema);
  const row = {
    ...lineOf(found),
    input: documentOf(inputSchema(spec)),
    output: documentOf(schema, $defs),
    ...(spec.mutates && { dryRun: dryRunOf(spec, documentOf(schema, $defs)) }),
    errors: documentOf(errorSchema),
  };
  await ctx.out.record(row, commandRows.pick(lineColumns));
}

/** Returns the schema of what `--dry-run` prints. */
function dryRunOf({ dryRunPrints }: CommandDescription, output: object): object {
  if (dryRunPrints === 'output') return output;
  return documentOf(dryRunPrints === 'requests' ? dryRunListSchema : dryRunSchema);
}

async function describeAll(ctx: Context): Promise<readonly Described[]> {
  const nouns = await ctx.nouns();
  return nouns.flatMap(({ commands }) => commands).map((spec) => ({ spec, output: spec.output ?? nothing }));
}

function lineOf({ spec, output }: Described): LineRow {
  const { path, summary, mutates } = spec;
  return { command: path.join(' '), summary, mutates: Boolean(mutates), outputType: output.gives };
}

/** Returns a schema as a document, with the definitions that the schema refers to. */
function documentOf(schema: Schema, $defs?: Readonly<Record<string, Schema>>): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...schema,
    ...($defs && { $defs }),
  };
}

/** Returns the resources of the service that a schema refers to; undefined if there are none. */
function definitionsOf(schema: Schema): Readonly<Record<string, Schema>> | undefined {
  const names = [...JSON.stringify(schema).matchAll(/#\/\$defs\/(\w+)/g)].map(([, name = '']) => name);
  if (names.length === 0) return undefined;
  const known = readResourceSchemas();
  return Object.fromEntries([...new Set(names)].map((name) => [name, known[name] ?? {}]));
}
