import { isJsonObject, parseJsonExactly } from './json.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * The members of a request body: an object, JSON in a string or bytes, or the summary of a streamed body. Undefined for any other body.
 */
export function bodyMembers(body: unknown): Members | undefined {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const value = jsonIn(body);
    return isJsonObject(value) ? value : undefined;
  }
  if (isStreamed(body)) return body.summary;
  return isJsonObject(body) ? body : undefined;
}

/** Parses a JSON object or list from a string or bytes, with all digits of its numbers; undefined for any other content. */
export function jsonIn(body: string | Uint8Array): object | undefined {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value = parseJsonExactly(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a body is streamed; its content is described by `summary`. */
export function isStreamed(body: unknown): body is { readonly summary: Members } {
  return isJsonObject(body) && typeof body['open'] === 'function' && isJsonObject(body['summary']);
}
