import { isJsonObject, parseJsonExactly } from './json.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the members of a request body: an object, JSON in a string or bytes, or the summary of a streamed body.
 * Undefined for any other body.
 */
export function bodyMembers(body: unknown): Members | undefined {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const value = jsonIn(body);
    return isJsonObject(value) ? value : undefined;
  }
  if (isStreamed(body)) return body.summary;
  return isJsonObject(body) ? body : undefined;
}

/**
 * Parses a JSON object or list from a string or bytes, with all digits of its numbers; undefined for any other content.
 */
export function jsonIn(body: string | Uint8Array): object | undefined {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value = parseJsonExactly(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether an object in a JSON body has a member twice. Programs differ in which of the two they use, so such a body has
 * no certain meaning. False for a body that is not JSON text.
 */
export function hasRepeatedMember(body: unknown): boolean {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return false;
  const value = jsonIn(body);
  if (value === undefined) return false;
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  // In JSON, only the name of a member is a string before a colon.
  const written = [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)/g)].filter(([, colon]) => colon === ':');
  return written.length > countMembers(value);
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values: readonly unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : values.length;
  return values.reduce<number>((sum, one) => sum + countMembers(one), own);
}

/** Whether a body is streamed; `summary` then describes its content. */
export function isStreamed(body: unknown): body is { readonly summary: Members } {
  return isJsonObject(body) && typeof body['open'] === 'function' && isJsonObject(body['summary']);
}
