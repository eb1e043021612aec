import { isJsonObject } from './json.ts';

/**
 * Returns the error code of an error body (ERROR-1, ERROR-2), or its description. No documented reply to a change has
 * the members `errorCode`, `errors` and `error`, so a reply with one of them never proves a change, whatever its other
 * members are. An empty value, such as `null` or an empty list, is not an error.
 */
export function errorIn(body: unknown): string | undefined {
  if (!isJsonObject(body)) return undefined;
  const { errorCode, errors, error } = body;
  const first: unknown = Array.isArray(errors) ? errors[0] : errors;
  return textOf(errorCode) ?? textOf(first) ?? textOf(error);
}

/** Describes the value of an error member in a few words; undefined for an empty value. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  if (typeof value === 'number' || value === true) return String(value);
  if (!isJsonObject(value) || Object.keys(value).length === 0) return undefined;
  return textOf(value['errorCode']) ?? textOf(value['code']) ?? textOf(value['message']) ?? 'without a code';
}
