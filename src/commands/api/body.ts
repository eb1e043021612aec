import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Call } from '../../client/index.ts';
import { fileTrouble } from '../../platform/file-trouble.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../runtime/errors.ts';
import { nestFields, splitField, typedValue, type FieldValue } from './fields.ts';

export interface BodyOptions {
  readonly rawField: readonly string[];
  readonly field: readonly string[];
  readonly input?: string;
}

/** Fields in the order of `-f` and then `-F`, files read. @throws {CommandError} `usage`. */
export async function readFields(
  ctx: Context,
  options: BodyOptions,
): Promise<readonly (readonly [string, FieldValue])[]> {
  const raw = options.rawField.map((text) => splitField('--raw-field', text));
  const typed: (readonly [string, FieldValue])[] = [];
  for (const text of options.field) {
    const [key, value] = splitField('--field', text);
    typed.push([key, value.startsWith('@') ? await readText(ctx, value.slice(1)) : typedValue(value)]);
  }
  return [...raw, ...typed];
}

/** The body of a request that is no GET. */
export async function readBody(
  ctx: Context,
  options: BodyOptions,
  fields: readonly (readonly [string, FieldValue])[],
  contentType: string | undefined,
): Promise<Pick<Call, 'body' | 'contentType'>> {
  if (options.input !== undefined) {
    // As it is: parsing and writing again could lose digits.
    const body = options.input === '-' ? await ctx.input.text() : await readBytes(ctx, options.input);
    return { body, contentType: contentType ?? 'application/json' };
  }
  return fields.length === 0 ? {} : { body: nestFields(fields) };
}

async function readText(ctx: Context, file: string): Promise<string> {
  return file === '-' ? ctx.input.text() : (await readBytes(ctx, file)).toString('utf8');
}

async function readBytes(ctx: Context, file: string): Promise<Buffer> {
  return readFile(resolve(ctx.cwd, file)).catch((error: NodeJS.ErrnoException) => {
    throw usageError(
      `cannot read ${file}: ${fileTrouble(error)}`,
      'check the path, or give - for standard input',
    );
  });
}
