import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from '../../runtime/context.ts';
import type { CommandDescription } from '../../runtime/command-description.ts';
import { ucctl } from '../../errors/hint.ts';
import { CommandError, Exit, notFoundError, usageError } from '../../errors/command.ts';
import type { View } from '../../runtime/output.ts';
import { type CommandOutput, nothing, type Schema } from '../../runtime/output-schema.ts';
import { dryRunSchema, errorSchema } from './error-schema.ts';
import { inputSchema } from './input-schema.ts';

export interface SchemaOptions {
  readonly command: readonly string[];
  readonly list?: boolean;
}

interface Line {
  readonly command: string;
  readonly summary: string;
  readonly mutates: boolean;
  readonly gives: CommandOutput['gives'];
}
interface Described {
  readonly spec: CommandDescription;
  readonly output: CommandOutput;
}

const view: View<Line> = {
  columns: [
    { key: 'command', title: 'Command', value: (row) => row.command, priority: 9, whole: true },
    { key: 'gives', title: 'Gives', value: (row) => row.gives, priority: 5 },
    { key: 'mutates', title: 'Changes', value: (row) => row.mutates, priority: 4 },
    { key: 'summary', title: 'Summary', value: (row) => row.summary, priority: 3 },
  ],
};

/** `schema COMMAND`, and `schema --list` */
export async function showSchema(ctx: Context, { command, list }: SchemaOptions): Promise<void> {
  if ((list ?? false) === command.length > 0)
    throw usageError('name a command, or give --list', ucctl('schema queue list'));
  const all = await describeAll(ctx);
  if (list) return ctx.out.list(all.map(lineOf), view);
  const name = command.flatMap((word) => word.split(' ')).join(' ');
  const found = all.find(({ spec }) => spec.path.join(' ') === name);
  if (!found) throw notFoundError(`there is no command "${name}"`, ucctl('schema --list'));
  const { spec, output } = found;
  const { schema } = output;
  const $defs = await definitionsOf(schema);
  await ctx.out.record<Line>(
    Object.assign(lineOf(found), {
      input: documentOf(inputSchema(spec)),
      output: documentOf(schema, $defs),
      ...(spec.mutates && { dryRun: documentOf(dryRunSchema) }),
      errors: documentOf(errorSchema),
    }),
    view,
  );
}

async function describeAll(ctx: Context): Promise<readonly Described[]> {
  const nouns = await ctx.nouns();
  const all = await Promise.all(nouns.map(async ({ outputs }) => (await outputs?.()) ?? {}));
  // A command can stand under another noun than the one that describes it.
  const outputs = Object.assign({}, ...all) as Readonly<Record<string, CommandOutput>>;
  return nouns
    .flatMap(({ commands }) => commands)
    .map((spec) => ({ spec, output: spec.output ?? outputs[spec.path.join(' ')] ?? nothing }));
}

function lineOf({ spec, output }: Described): Line {
  const { path, summary, mutates } = spec;
  return { command: path.join(' '), summary, mutates: Boolean(mutates), gives: output.gives };
}

/** A schema as a document, with the definitions that it refers to. */
function documentOf(schema: Schema, $defs?: Readonly<Record<string, Schema>>): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...schema,
    ...($defs && { $defs }),
  };
}

/** The resources of the service that a schema refers to; undefined where there are none. */
async function definitionsOf(schema: Schema): Promise<Readonly<Record<string, Schema>> | undefined> {
  const names = [...JSON.stringify(schema).matchAll(/#\/\$defs\/(\w+)/g)].map(([, name = '']) => name);
  if (names.length === 0) return undefined;
  const known = await readResources();
  return Object.fromEntries([...new Set(names)].map((name) => [name, known[name] ?? {}]));
}

/** Made by the build from the contract (scripts/build-static.ts); the sources take those of the last build. */
async function readResources(): Promise<Readonly<Record<string, Schema>>> {
  const here = dirname(fileURLToPath(import.meta.url));
  const folders = [join(here, '..'), join(here, '..', '..', '..', 'dist')];
  for (const folder of folders) {
    const text = await readFile(join(folder, 'schema', 'resources.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text) as Readonly<Record<string, Schema>>;
  }
  throw new CommandError(
    'incomplete_install',
    Exit.local,
    'the schemas of the resources are missing from this installation',
    { hint: 'install ucctl again; in a checkout: npm run build' },
  );
}
