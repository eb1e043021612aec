import {
  ApiError,
  ConnectionError,
  isRefusedWith,
  OutcomeUnknownError,
  ReplyError,
} from '../../errors/service.ts';
import type { Verdict } from './journal.ts';

/**
 * What an error says about a request: `refused`, the service looked at it and said no, an item is at fault; `unknown`, it may have been
 * done; `stopped`, nothing was done and the next request would fare no better (no permission, no session, no connection, rate limit). Of a request for one item a missing permission says nothing about the others.
 */
export type Judgement = 'refused' | 'unknown' | 'stopped';

const refusals = new Set([400, 404, 409, 413, 422]);

/** `items` is how many the request was for. */
export function judge(error: unknown, items: number): Judgement {
  if (!(error instanceof Error)) return 'unknown';
  if (error instanceof ApiError) {
    const { status } = error;
    if (refusals.has(status) || (status === 403 && items === 1)) return 'refused';
    return status >= 500 ? 'unknown' : 'stopped';
  }
  if (error instanceof ConnectionError) return error.reached === 'no' ? 'stopped' : 'unknown';
  return error instanceof OutcomeUnknownError || error instanceof ReplyError ? 'unknown' : 'stopped';
}

/** The code of a refusal that may be about one item or about all of them; undefined for any other error. */
export function doubtfulCode(error: unknown): string | undefined {
  return isRefusedWith(error, 403) ? error.code : undefined;
}

/** What of an error goes into the journal and the results file. */
export function verdictOf(error: unknown): Verdict {
  if (!(error instanceof Error)) return { code: 'unknown', message: String(error) };
  // Errors of Node and of SQLite have a code, too.
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return { code, message: error.message, requestId: error instanceof ApiError ? error.requestId : undefined };
}
