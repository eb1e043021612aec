import { isJsonObject, parseJson } from './json.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * The members of a request's body: of an object, of JSON in text or bytes, as the service reads them, or of the summary of a body that is made
 * while it goes out. Undefined for a body of another kind.
 */
export function bodyMembers(body: unknown): Members | undefined {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    try {
      const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
      const value = parseJson(text);
      return isJsonObject(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
  if (isStreamed(body)) return body.summary;
  return isJsonObject(body) ? body : undefined;
}

/** Whether a body is made while it goes out; it says before what it will be. */
export function isStreamed(body: unknown): body is { readonly summary: Members } {
  return isJsonObject(body) && typeof body['open'] === 'function' && isJsonObject(body['summary']);
}
