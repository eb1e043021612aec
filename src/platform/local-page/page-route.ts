/** A request to a route of a local page, whose host, origin and token were checked. */
export interface PageRequest {
  /** The values of `:name` in the path of the route, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed JSON body; undefined if there is no body. */
  readonly body: unknown;
  /** Aborted when the browser disconnects or the server closes. */
  readonly signal: AbortSignal;
}

/** A file, or another reply that is not a JSON value. */
export class PageContent {
  readonly type: string;
  readonly bytes: Uint8Array;

  constructor(type: string, bytes: Uint8Array) {
    this.type = type;
    this.bytes = bytes;
  }
}

/** Lines that are sent as they arrive. */
export class PageLines {
  readonly lines: AsyncIterable<string>;

  constructor(lines: AsyncIterable<string>) {
    this.lines = lines;
  }
}

/** A rejected request. The page shows the message and the hint. */
export class PageError extends Error {
  override readonly name = 'PageError';
  /** HTTP status of the reply. */
  readonly status: number;
  /** Further members of the error. */
  readonly details: object;

  constructor(status: number, message: string, details: object = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** An operation of a local page. `POST` changes something, or delivers something to a program. */
export interface PageRoute {
  readonly method: 'GET' | 'POST';
  /** Path such as `/api/events/:id`. */
  readonly path: string;
  /** @returns a JSON value, `PageContent` or `PageLines`. @throws {PageError} */
  answer(request: PageRequest): unknown;
}

/** Returns the values of the parameters of a route; undefined if the path does not belong to the route. */
export function matchPath(path: string, requested: string): Readonly<Record<string, string>> | undefined {
  const wanted = path.split('/');
  const given = requested.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== value) return undefined;
    } else {
      const decoded = decodePart(value);
      if (decoded === undefined || decoded === '') return undefined;
      params[part.slice(1)] = decoded;
    }
  }
  return params;
}

function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
