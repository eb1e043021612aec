import type { CommandDescription, OptionSpec } from '../../runtime/command-description.ts';
import { offeredOptions, ownArguments, type Tool } from './tools.ts';

/** A call whose arguments were read. */
export interface ToolCall {
  readonly tool: Tool;
  readonly spec: CommandDescription;
  /** The command line after `ucctl`, without flags of the server. */
  readonly words: readonly string[];
  /** The files that the command reads, as the call names them. */
  readonly files: readonly string[];
  /** Members of the result to return. */
  readonly fields: readonly string[];
  /** The plan that the call runs. */
  readonly planId: string | undefined;
  /** Whether the default limit of the server was added. */
  readonly isLimited: boolean;
}

/** The number of rows that a list returns if the call has no limit. */
export const defaultLimit = 100;

/**
 * Reads the arguments of a call. The command line checks the values later.
 * @throws {RangeError} with a message for the agent.
 */
export function readToolCall(tool: Tool, input: Readonly<Record<string, unknown>>): ToolCall {
  const spec = specOf(tool, input[ownArguments.command]);
  const options = offeredOptions(tool, spec);
  const own = new Set<string>(Object.values(ownArguments));
  const unknown = Object.keys(input).filter((name) => !options.has(name) && !own.has(name));
  if (unknown.length > 0)
    throw new RangeError(
      `${spec.path.join(' ')} has no argument ${unknown.join(', ')}; its arguments are: ${[...options.keys()].join(', ')}`,
    );
  const flags: string[] = [];
  const positional: string[] = [];
  const files: string[] = [];
  for (const [name, option] of options) {
    const value = input[name];
    if (value === undefined || value === null) continue;
    if (/\bFILE\b/.test(option.value ?? '')) files.push(...valuesOf(name, option, value));
    if (option.positional) positional.push(...valuesOf(name, option, value));
    else flags.push(...flagWords(name, option, value));
  }
  const isLimited = tool.access === 'read' && options.has('limit') && input['limit'] === undefined;
  return {
    tool,
    spec,
    words: [
      ...spec.path,
      ...flags,
      ...(isLimited ? [`--limit=${defaultLimit}`] : []),
      ...(positional.length > 0 ? ['--', ...positional] : []),
    ],
    files,
    fields: textList(input, ownArguments.fields),
    planId: textOf(input, ownArguments.plan),
    isLimited,
  };
}

function specOf(tool: Tool, command: unknown): CommandDescription {
  const [only] = tool.specs;
  if (only && tool.specs.length === 1) return only;
  const spec = tool.specs.find(({ path }) => path.join(' ') === command);
  if (!spec) throw new RangeError(`command must be one of: ${tool.commands.join(', ')}`);
  return spec;
}

function flagWords(name: string, option: OptionSpec, value: unknown): readonly string[] {
  if (option.type !== 'boolean') return valuesOf(name, option, value).map((text) => `--${name}=${text}`);
  if (typeof value !== 'boolean') throw new RangeError(`${name} must be true or false`);
  if (value) return [`--${name}`];
  return option.negatable ? [`--no-${name}`] : [];
}

function valuesOf(name: string, option: OptionSpec, value: unknown): readonly string[] {
  const values: readonly unknown[] = option.type === 'list' && Array.isArray(value) ? value : [value];
  return values.map((one) => {
    if (typeof one !== 'string' && typeof one !== 'number')
      throw new RangeError(
        `${name} must be ${option.type === 'list' ? 'a list of strings' : 'a string or a number'}`,
      );
    // The number has lost digits, so it would name another message or conversation (BASE-18).
    if (Number.isInteger(one) && !Number.isSafeInteger(one))
      throw new RangeError(`${name}: ${one} is too long for a number; write the ID as a string`);
    return String(one);
  });
}

function textList(input: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const value = input[name] ?? [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw new RangeError(`${name} must be a list of strings`);
  return value;
}

function textOf(input: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = input[name];
  if (value !== undefined && typeof value !== 'string') throw new RangeError(`${name} must be a string`);
  return value;
}
