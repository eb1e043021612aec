import type { z } from 'zod';
import { parseJson } from '../../platform/json.ts';
import { invalidParameter, messageError, ServiceError } from './errors.ts';

/** A parsed value and the names of what was sent but not read. */
export interface Parsed {
  readonly value: unknown;
  readonly unread: readonly string[];
}

/**
 * Checks a value against the contract.
 * @throws {ServiceError} CMN-101, naming the parameter.
 */
export function parseShape(schema: z.ZodType, input: unknown): Parsed {
  const result = schema.safeParse(input);
  if (!result.success) throw shapeError(result.error.issues[0]);
  return { value: result.data, unread: unreadMembers(input, result.data) };
}

function shapeError(issue: z.core.$ZodIssue | undefined): ServiceError {
  const name = pathText(issue ? pathOf(issue) : []);
  if (name === '') return new ServiceError(400, 'CMN-104', 'The request body has a wrong type');
  if (name === 'to' && issue?.code === 'too_small') {
    return messageError(400, 'MSG-219', 'Parameter [to] is invalid. No recipients specified', 'to');
  }
  return invalidParameter(name);
}

/** Of a value that may have several shapes: the member at fault in the shape whose `type` it has. */
function pathOf(issue: z.core.$ZodIssue): readonly PropertyKey[] {
  if (issue.code !== 'invalid_union') return issue.path;
  const meant = issue.errors.find(
    (found) => found.length > 0 && !found.some(({ path }) => path[0] === 'type'),
  );
  const [first] = meant ?? [];
  return first ? [...issue.path, ...pathOf(first)] : issue.path;
}

/** `to[0].phoneNumber` */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('');
}

/** Names of members that the schema dropped. */
export function unreadMembers(input: unknown, output: unknown, prefix = ''): string[] {
  if (typeof input !== 'object' || input === null || typeof output !== 'object' || output === null) return [];
  return Object.entries(input).flatMap(([key, value]: [string, unknown]) => {
    const name = Array.isArray(input) ? `${prefix}[${key}]` : `${prefix}${prefix && '.'}${key}`;
    if (!(key in output)) return [name];
    return unreadMembers(value, (output as Record<string, unknown>)[key], name);
  });
}

/**
 * Reads a JSON body.
 * @throws {ServiceError} CMN-103 when it is no JSON, CMN-104 when it is missing.
 */
export function parseBody(text: string, optional: boolean): unknown {
  if (text.trim() === '') {
    if (optional) return {};
    throw new ServiceError(400, 'CMN-104', 'The request body is empty');
  }
  try {
    return parseJson(text);
  } catch {
    throw new ServiceError(400, 'CMN-103', 'The request body is not valid JSON');
  }
}

/** A form; of a repeated field the first value counts. */
export function parseForm(text: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) fields[name] ??= value;
  return fields;
}

/** A query; repeated keys become lists. What the transport itself reads is left out. */
export function parseQuery(url: URL): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {};
  for (const name of new Set(url.searchParams.keys())) {
    if (name === 'access_token' || name === '_method') continue;
    const values = url.searchParams.getAll(name);
    fields[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return fields;
}
