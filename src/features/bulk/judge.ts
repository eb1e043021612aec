import type { Verdict } from './journal.ts';

/**
 * What an error says about a request: `refused`, the service looked at it and said no, an item is at fault; `unknown`, it may have been
 * done; `stopped`, nothing was done and the next request would fare no better (no permission, no session, no connection, rate limit). Of a request for one item a missing permission says nothing about the others.
 */
export type Judgement = 'refused' | 'unknown' | 'stopped';

/** Errors of the client, told apart by name: features know its types only. */
interface Carried {
  readonly status?: number;
  readonly code?: string;
  readonly reached?: 'no' | 'unknown';
  readonly requestId?: string;
}

const refusals = new Set([400, 404, 409, 413, 422]);

/** `items` is how many the request was for. */
export function judge(error: unknown, items: number): Judgement {
  if (!(error instanceof Error)) return 'unknown';
  const { status = 0, reached } = error as Error & Carried;
  switch (error.name) {
    case 'ApiError':
      if (refusals.has(status) || (status === 403 && items === 1)) return 'refused';
      return status >= 500 ? 'unknown' : 'stopped';
    case 'ConnectionError':
      return reached === 'no' ? 'stopped' : 'unknown';
    case 'OutcomeUnknownError':
    case 'ReplyError':
      return 'unknown';
    default:
      return 'stopped';
  }
}

/** The code of a refusal that may be about one item or about all of them; undefined for any other error. */
export function doubtfulCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'ApiError') return undefined;
  const { status, code } = error as Error & Carried;
  return status === 403 ? (code ?? '403') : undefined;
}

/** What of an error goes into the journal and the results file. */
export function verdictOf(error: unknown): Verdict {
  if (!(error instanceof Error)) return { code: 'unknown', message: String(error) };
  const { code, requestId } = error as Error & Carried;
  return { code: code ?? error.name, message: error.message, requestId };
}
