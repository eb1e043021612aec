import type { z } from 'zod';
import { parseJson } from '../../platform/json.ts';
import { invalidParameter, messageError, ServiceError } from './errors.ts';

/** A parsed value and the names of members that were ignored. */
export interface Parsed {
  readonly value: unknown;
  readonly unread: readonly string[];
}

/**
 * Validates a value against the contract.
 * @throws {ServiceError} CMN-101, naming the parameter.
 */
export function parseShape(schema: z.ZodType, input: unknown): Parsed {
  const result = schema.safeParse(input);
  if (!result.success) throw shapeError(input, result.error.issues[0]);
  return { value: result.data, unread: unreadMembers(input, result.data) };
}

function shapeError(input: unknown, issue: z.core.$ZodIssue | undefined): ServiceError {
  const name = pathText(issue ? pathOf(issue) : []);
  if (name === '') return new ServiceError(400, 'CMN-104', 'The request body has the wrong type');
  if (name === 'to' && issue !== undefined && isMissingList(input, issue)) {
    return messageError(400, 'MSG-219', 'Parameter [to] is invalid. No recipients specified', 'to');
  }
  return invalidParameter(name);
}

/** Whether the list `to` is empty or absent. */
function isMissingList(input: unknown, issue: z.core.$ZodIssue): boolean {
  if (issue.code !== 'invalid_type') return issue.code === 'too_small';
  return issue.expected === 'array' && (input as { readonly to?: unknown }).to === undefined;
}

/**
 * Returns the issue of a value with several possible shapes: the issue in the shape that matches the `type` of the
 * value.
 */
function pathOf(issue: z.core.$ZodIssue): readonly PropertyKey[] {
  if (issue.code !== 'invalid_union') return issue.path;
  const meant = issue.errors.find(
    (found) => found.length > 0 && !found.some(({ path }) => path[0] === 'type'),
  );
  const [first] = meant ?? [];
  return first ? [...issue.path, ...pathOf(first)] : issue.path;
}

/** Formats the path of an issue, such as `to[0].phoneNumber`. */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('');
}

/** Returns the names of the members that the schema removed. */
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
 * @throws {ServiceError} CMN-103 for invalid JSON, CMN-104 for a missing body.
 */
export function parseBody(text: string): unknown {
  if (text.trim() === '') throw new ServiceError(400, 'CMN-104', 'The request body is empty');
  try {
    return parseJson(text);
  } catch {
    throw new ServiceError(400, 'CMN-103', 'The request body is not valid JSON');
  }
}

/** Reads a form; the first value of a repeated field is used. */
export function parseForm(text: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) fields[name] ??= value;
  return fields;
}

/** Reads a query; repeated keys become lists. Parameters of the transport are omitted. */
export function parseQuery(url: URL): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {};
  for (const name of new Set(url.searchParams.keys())) {
    if (name === 'access_token' || name === '_method') continue;
    const values = url.searchParams.getAll(name);
    fields[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return fields;
}
