import { isJsonObject } from '../platform/json.ts';

/**
 * Returns the error code of an error body (ERROR-1). No documented reply to a change has the member `errorCode`, so a
 * reply with this member never proves a change.
 */
export function errorCodeOf(value: unknown): string | undefined {
  const code = isJsonObject(value) ? value['errorCode'] : undefined;
  return typeof code === 'string' && code.trim() !== '' ? code : undefined;
}
