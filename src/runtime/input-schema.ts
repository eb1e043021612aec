import type { CommandDescription, OptionSpec } from './command-description.ts';
import type { Schema } from './output-schema.ts';
import { durationPattern } from '../platform/duration.ts';

/** Schema of the flags and arguments of a command, by their names without dashes. */
export function inputSchema(spec: CommandDescription): Schema {
  const options = Object.entries(spec.options);
  const required = options.filter(([, option]) => option.required).map(([key]) => nameOf(key));
  const conflicts = options.flatMap(([key, { conflicts: others = [] }]) =>
    others.map((other) => ({ not: { required: [nameOf(key), nameOf(other)] } })),
  );
  const order = options.filter(([, option]) => option.positional).map(([key]) => nameOf(key));
  return {
    type: 'object',
    properties: Object.fromEntries(options.map(([key, option]) => [nameOf(key), optionSchema(option)])),
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    ...(conflicts.length > 0 && { allOf: conflicts }),
    ...(order.length > 0 && { $comment: `by position: ${order.join(', ')}` }),
  };
}

/** Returns the name on the command line: `max-errors` for `maxErrors`. */
export function nameOf(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Schema of the value of one option or argument. */
export function optionSchema(option: OptionSpec): Schema {
  const description = option.summary;
  if (option.type === 'boolean') return { type: 'boolean', description };
  if (option.type === 'list') return { type: 'array', items: textSchema(option.choices), description };
  if (option.type === 'integer') {
    const { min, max } = option;
    return {
      type: 'integer',
      description,
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
      ...(option.default !== undefined && { default: option.default }),
    };
  }
  if (option.type === 'duration') {
    return {
      type: 'string',
      pattern: durationPattern,
      description,
      ...(option.default !== undefined && { default: `${option.default}s` }),
    };
  }
  return {
    ...textSchema(option.choices),
    description,
    ...(option.default !== undefined && { default: option.default }),
  };
}

function textSchema(choices: readonly string[] | undefined): Schema {
  return { type: 'string', ...(choices && { enum: choices }) };
}
