import { comparablePath } from './request-path.ts';

/**
 * Paths whose POST only reads, because the filters of a search (AUDIT-1) or of a report (REPORT-1) are in the body. The
 * paths have the form of `comparablePath`.
 */
const searches: readonly RegExp[] = [/\/audit-trail\/search$/, /\/message-store-report$/];

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

/** Whether a request only reads: every GET, and a POST that searches. */
export function onlyReads(request: RequestOf): boolean {
  const { method, path } = request;
  if (method === 'GET') return true;
  if (method !== 'POST' || isOverridden(request)) return false;
  const comparable = comparablePath(path);
  return searches.some((end) => end.test(comparable));
}
