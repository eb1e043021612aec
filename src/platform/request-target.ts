/** The parts of the target of an HTTP request. */
interface RequestTarget {
  readonly pathname: string;
  readonly searchParams: URLSearchParams;
}

/**
 * Reads the target of a request, such as `/readyz?exclude=store`. Accepts any text, also `//` and `*`, which are not
 * valid URLs.
 */
export function requestTarget(target: string | undefined): RequestTarget {
  // A proxy sends the whole address.
  const [path = '', ...query] = (target ?? '').replace(/^https?:\/\/[^/?]*/i, '').split('?');
  return { pathname: path, searchParams: new URLSearchParams(query.join('?')) };
}
