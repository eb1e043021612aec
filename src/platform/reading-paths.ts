import { comparablePath } from './request-path.ts';

/**
 * Matches paths in the form of `comparablePath` for which POST only searches (AUDIT-1). Such a request changes
 * nothing and may be repeated.
 */
const searches = /\/audit-trail\/search$/;
/** Paths whose POST starts a report (REPORT-1): it changes no data, but each request starts another report. */
const reports = /\/message-store-report$/;

/** A request, as far as it determines whether it changes something. */
interface RequestOf {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Whether the method of a request is replaced by a header or a parameter (BASE-17), so that a POST may change
 * something.
 */
export function isOverridden({ headers, query }: RequestOf): boolean {
  return headers?.['x-http-method-override'] !== undefined || query?.['_method'] !== undefined;
}

/** Whether a request changes no data of the account: a request that may be repeated, or one that starts a report. */
export function onlyReads(request: RequestOf): boolean {
  return mayRepeat(request) || isPostTo(reports, request);
}

/** Whether a request has the same effect when it is processed twice, because it only reads: every GET, and a search. */
export function mayRepeat(request: RequestOf): boolean {
  return request.method === 'GET' || isPostTo(searches, request);
}

function isPostTo(end: RegExp, request: RequestOf): boolean {
  return request.method === 'POST' && !isOverridden(request) && end.test(comparablePath(request.path));
}

/** Whether a request deletes messages. The same request would purge the deleted messages (CLIENT-2). */
export function deletesMessages({ method, path }: RequestOf): boolean {
  return method === 'DELETE' && comparablePath(path).includes('/message-store');
}
