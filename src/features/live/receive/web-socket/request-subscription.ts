import { webSocket } from '../../../../contract/limits.ts';
import type { Subscription, SubscriptionRequest } from '../../../../contract/subscription.ts';
import { ApiError } from '../../../../errors/service.ts';
import { isJsonObject } from '../../../../platform/json.ts';
import type { Connection, Response } from './connection.ts';

const path = webSocket.path;

/**
 * Creates the subscription of a connection; an earlier subscription of the same connection ends (SOCKET-5).
 * @throws {ApiError} The service rejected the subscription.
 * @throws {ConnectionEndedError} The connection ended before the reply.
 */
export async function requestSubscription(
  connection: Connection,
  request: SubscriptionRequest,
): Promise<Subscription> {
  const response = await connection.request('POST', path, request);
  if (response.status < 200 || response.status >= 300) throw rejection(response);
  const { body } = response;
  const id = isJsonObject(body) ? idOf(body['id']) : '';
  if (!isJsonObject(body) || id === '')
    throw rejection({ ...response, status: 502, body: { message: 'a subscription without an ID' } });
  const filters = body['eventFilters'];
  return {
    uri: '',
    expirationTime: '',
    creationTime: '',
    status: 'Active',
    ...body,
    id,
    eventFilters: Array.isArray(filters) ? filters.filter((one) => typeof one === 'string') : [],
    deliveryMode: {
      ...(isJsonObject(body['deliveryMode']) && body['deliveryMode']),
      transportType: 'WebSocket',
    },
  };
}

/** Services write IDs as strings or numbers. */
function idOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Number.isSafeInteger(value) ? String(value) : '';
}

function rejection({ status, body, retryAfter }: Response): ApiError {
  const { errorCode, message } = isJsonObject(body) ? body : {};
  return new ApiError({
    status: status === 0 ? 502 : status,
    errorCode: typeof errorCode === 'string' ? errorCode : `HTTP-${status}`,
    message:
      typeof message === 'string' ? message : `the service rejected the subscription with HTTP ${status}`,
    retryAfterSeconds: retryAfter,
    request: { method: 'POST', path },
  });
}
