import { parseJson } from '../platform/json.ts';
import { ApiError, requestLineOf, type ApiErrorDetail, type RequestLine } from '../errors/service.ts';
import type { HttpReply } from './http.ts';
import { readRetryAfter } from './retry-after.ts';

/**
 * Reads an error reply of either shape (ERROR-1, ERROR-2). Any other body, such as a proxy's HTML page, gives an error
 * with the status.
 */
export function toApiError(reply: HttpReply, text: string, request: RequestLine, now?: number): ApiError {
  const body = readObject(text);
  const errors = readDetails(body?.['errors']);
  const first = errors[0];
  return new ApiError({
    status: reply.status,
    errorCode: firstText(body, ['errorCode', 'error']) ?? `HTTP-${reply.status}`,
    message:
      firstText(body, ['message', 'error_description']) ??
      first?.message ??
      `the service replied with HTTP ${reply.status}`,
    parameterName: firstText(body, ['parameterName']) ?? first?.parameterName,
    permissionName: firstText(body, ['permissionName']) ?? first?.permissionName,
    errors,
    requestId: reply.header('x-request-id'),
    retryAfterSeconds: readRetryAfter(reply.header('retry-after'), now),
    contentRange: reply.header('content-range'),
    request: requestLineOf(request),
  });
}

/** Returns the first of these members that is a non-empty string. */
function firstText(
  body: Readonly<Record<string, unknown>> | undefined,
  names: readonly string[],
): string | undefined {
  return names.map((name) => readString(body?.[name])).find((text) => text !== undefined);
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function readDetails(value: unknown): ApiErrorDetail[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((item): item is Record<string, unknown> => typeof item === 'object' && item !== null)
    .map((item) => ({
      errorCode: readString(item['errorCode']) ?? 'unknown',
      message: readString(item['message']) ?? '',
      parameterName: readString(item['parameterName']),
      permissionName: readString(item['permissionName']),
    }));
}

function readString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
