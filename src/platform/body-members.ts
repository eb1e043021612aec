import { isJsonObject, parseJsonExactly } from './json.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * The members of a request's body: of an object, of JSON in text or bytes, as the service reads them, or of the summary of a body that is made
 * while it goes out. Undefined for a body of another kind.
 */
export function bodyMembers(body: unknown): Members | undefined {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const value = jsonIn(body);
    return isJsonObject(value) ? value : undefined;
  }
  if (isStreamed(body)) return body.summary;
  return isJsonObject(body) ? body : undefined;
}

/** The object or list of JSON in a text or in bytes, with all digits of its numbers; undefined where there is none. */
export function jsonIn(body: string | Uint8Array): object | undefined {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value = parseJsonExactly(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a body is made while it goes out; it says before what it will be. */
export function isStreamed(body: unknown): body is { readonly summary: Members } {
  return isJsonObject(body) && typeof body['open'] === 'function' && isJsonObject(body['summary']);
}
