import type { Call } from '../../client/index.ts';
import { readBinaryFile, readTextFile } from '../../features/bulk/index.ts';
import type { Context } from '../../runtime/context.ts';
import { emptyField, nestFields, splitField, typedValue, type FieldValue } from './fields.ts';

export interface BodyOptions {
  readonly rawField: readonly string[];
  readonly field: readonly string[];
  readonly input?: string;
}

/**
 * Returns all `-f` fields, then all `-F` fields, with the content of their files. @throws {CommandError} `usage`,
 * `unreadable_file`.
 */
export async function readFields(
  ctx: Context,
  options: BodyOptions,
): Promise<readonly (readonly [string, FieldValue])[]> {
  const raw = options.rawField.map((text) => emptyField(text) ?? splitField('--raw-field', text));
  const typed: (readonly [string, FieldValue])[] = [];
  for (const text of options.field) {
    const empty = emptyField(text);
    if (empty) {
      typed.push(empty);
      continue;
    }
    const [key, value] = splitField('--field', text);
    typed.push([key, value.startsWith('@') ? await readTextFile(ctx, value.slice(1)) : typedValue(value)]);
  }
  return [...raw, ...typed];
}

/** Returns the body of a request whose method is not GET. */
export async function readBody(
  ctx: Context,
  options: BodyOptions,
  fields: readonly (readonly [string, FieldValue])[],
  contentType: string | undefined,
): Promise<Pick<Call, 'body' | 'contentType'>> {
  if (options.input !== undefined) {
    const bytes = options.input === '-' ? await ctx.input.bytes() : await readBinaryFile(ctx, options.input);
    return { body: textOf(bytes) ?? bytes, contentType: contentType ?? 'application/json' };
  }
  return fields.length === 0 ? {} : { body: nestFields(fields) };
}

/**
 * Returns a body that is UTF-8 as text, so that its secrets are masked in errors; undefined for other bytes. The text is
 * sent unchanged, because parsing and serializing JSON could lose digits of numbers.
 */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
