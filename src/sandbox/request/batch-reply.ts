import { batchContentType } from '../../contract/limits.ts';
import { stringifyJson } from '../../platform/json.ts';
import type { Call, Reply } from './call.ts';
import { ServiceError } from './errors.ts';

/** The result for one ID. */
export interface PartOutcome {
  readonly id: string;
  readonly status: number;
  readonly body: unknown;
}

const boundary = 'Boundary_sandbox_batch';
const words: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
};

/** Runs `work` for each item; a rejected item does not stop the other items. */
export function eachItem<T extends { readonly id: string }>(
  items: readonly T[],
  work: (item: T) => unknown,
): readonly PartOutcome[] {
  return items.map((item) => {
    const { id } = item;
    try {
      return { id, status: 200, body: work(item) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { id, status: error.status, body: error.body };
    }
  });
}

/**
 * Returns the 207 reply in the format of the Accept header: one JSON array for the vendor's type, otherwise
 * `multipart/mixed`, whose first part has the result for each ID.
 * @param addressOf the address of the resource with this ID.
 */
export function batchReply(
  { headers }: Pick<Call, 'headers'>,
  addressOf: (id: string) => string,
  outcomes: readonly PartOutcome[],
): Reply {
  if (wantsArray(headers)) {
    const items = outcomes.map(({ id, status, body }) => ({ resourceId: id, status, body }));
    return { status: 207, headers: { 'content-type': batchContentType }, text: stringifyJson(items) };
  }
  const response = outcomes.map(({ id, status }) => ({
    href: addressOf(id),
    status,
    responseDescription: words[status] ?? 'Error',
  }));
  const parts = [{ response }, ...outcomes.map(({ body }) => body)].map(
    (json) => `--${boundary}\r\nContent-Type: application/json\r\n\r\n${stringifyJson(json)}\r\n`,
  );
  return {
    status: 207,
    headers: { 'content-type': `multipart/mixed; boundary=${boundary}` },
    text: `${parts.join('')}--${boundary}--\r\n`,
  };
}

/** Returns the format of the reply; without Accept, the format of the request body. */
function wantsArray(headers: Headers): boolean {
  const accept = headers.get('accept') ?? headers.get('content-type') ?? '';
  return accept.split(',').some((range) => range.trim().toLowerCase().startsWith(batchContentType));
}
