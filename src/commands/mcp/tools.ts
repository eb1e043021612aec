import type { CommandDescription, OptionSpec } from '../../runtime/command-description.ts';
import { nameOf, optionSchema } from '../../runtime/input-schema.ts';
import type { Schema } from '../../runtime/output-schema.ts';
import { type ToolEntry, toolTable } from './tool-table.ts';

/** A tool with the specs of its commands. */
export interface Tool extends ToolEntry {
  readonly specs: readonly CommandDescription[];
}

/**
 * Arguments of every tool, or of every tool that makes changes, in addition to the options of its commands. The names
 * of options contain no underscore.
 */
export const ownArguments = { command: 'command', fields: 'output_fields', plan: 'plan_id' } as const;

/**
 * Returns the tools with the specs of their commands. @throws {Error} if the table names a command that does not exist.
 */
export function toolsOf(commands: readonly CommandDescription[]): readonly Tool[] {
  const byPath = new Map(commands.map((spec) => [spec.path.join(' '), spec]));
  return toolTable.map((entry) => {
    const specs = entry.commands.map((path) => {
      const spec = byPath.get(path);
      if (!spec) throw new Error(`${entry.name}: command ${path} not found`);
      return spec;
    });
    return Object.assign({ specs }, entry);
  });
}

/** Returns the options of a command that a tool offers, by their names in JSON. */
export function offeredOptions(tool: ToolEntry, spec: CommandDescription): ReadonlyMap<string, OptionSpec> {
  const excluded = new Set(tool.without);
  return new Map(
    Object.entries(spec.options)
      .filter(([key]) => !excluded.has(key))
      .map(([key, option]) => [nameOf(key), option]),
  );
}

/** Returns the description of a tool for the agent: each command with its purpose, then how changes are confirmed. */
export function describeTool(tool: Tool): string {
  const lines = tool.specs.map((spec) => {
    const text = spec.description ?? `${spec.summary}.`;
    return tool.specs.length === 1 ? text : `- ${spec.path.join(' ')}: ${text}`;
  });
  return [...lines, ...notesOn(tool)].join('\n');
}

function notesOn({ access, specs }: Tool): readonly string[] {
  const effects = new Set(specs.map(({ effect }) => effect));
  return [
    ...(effects.has('sends') ? ['This tool sends messages to people, which may cost money.'] : []),
    ...(effects.has('rings') ? ['This tool makes phones ring.'] : []),
    ...(effects.has('deletes') ? ['This tool deletes data.'] : []),
    ...(needsConfirmation(access)
      ? [
          'The user confirms each call. A client that cannot ask the user gets a preview with a plan_id. A second call with the same arguments and this plan_id runs the command.',
        ]
      : []),
  ];
}

/** Returns whether each call must be confirmed. */
export function needsConfirmation(access: ToolEntry['access']): boolean {
  return access === 'change' || access === 'irreversible';
}

/** Returns the JSON Schema of the arguments of a tool. */
export function toolInputSchema(tool: Tool): Schema {
  const [only, ...others] = tool.specs;
  const isSingle = only !== undefined && others.length === 0;
  return {
    type: 'object',
    properties: {
      ...(!isSingle && {
        [ownArguments.command]: { type: 'string', enum: tool.commands, description: 'Command to run' },
      }),
      ...mergedOptions(tool),
      ...(needsConfirmation(tool.access)
        ? {
            [ownArguments.plan]: {
              type: 'string',
              description: 'ID of the plan to run, from an earlier preview',
            },
          }
        : {
            [ownArguments.fields]: {
              type: 'array',
              items: { type: 'string' },
              description: 'Members of the result to return; default: all',
            },
          }),
    },
    required: isSingle ? requiredOf(tool, only) : [ownArguments.command],
    additionalProperties: false,
  };
}

function requiredOf(tool: Tool, spec: CommandDescription): readonly string[] {
  return [...offeredOptions(tool, spec)].filter(([, option]) => option.required).map(([name]) => name);
}

/**
 * Returns the options of all commands of a tool. A description names the commands that have the option, unless all have
 * it.
 */
function mergedOptions(tool: Tool): Readonly<Record<string, Schema>> {
  const found = new Map<string, { schema: Schema; readonly commands: string[] }[]>();
  for (const spec of tool.specs) {
    for (const [name, option] of offeredOptions(tool, spec)) {
      const schema = optionSchema(option);
      const variants = found.get(name) ?? [];
      found.set(name, variants);
      const same = variants.find((variant) => JSON.stringify(variant.schema) === JSON.stringify(schema));
      if (same) same.commands.push(spec.path.join(' '));
      else variants.push({ schema, commands: [spec.path.join(' ')] });
    }
  }
  return Object.fromEntries(
    [...found].map(([name, variants]) => {
      const schemas = variants.map(({ schema, commands }) =>
        commands.length === tool.specs.length ? schema : withCommands(schema, commands),
      );
      const [first = {}] = schemas;
      return [name, schemas.length === 1 ? first : { anyOf: schemas }];
    }),
  );
}

function withCommands(schema: Schema, commands: readonly string[]): Schema {
  return { ...schema, description: `${commands.join(', ')}: ${String(schema['description'])}` };
}
