import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { startServer } from '../platform/start-server.ts';
import { waitAtMost } from '../platform/time-limit.ts';
import { pageHeaders, renderPage, type PageContent } from './callback-page.ts';
import { readCallback, type CallbackReply } from './callback-reply.ts';
import { portsBusy, type LoopbackTarget, type UnusablePort } from './redirect-uri.ts';

const donePath = '/done';
/** Longest wait for the browser to fetch the last page before the port is closed. */
const lastPageMilliseconds = 5000;

export type CallbackAnswer = Exclude<CallbackReply, { kind: 'foreign' }>;

/** Listens on the redirect URI for the redirect of the browser. */
export interface CallbackListener {
  /** The registered redirect URI that the listener serves. */
  readonly redirectUri: string;
  /** The reply of the service. Unexpected and hostile requests get an error page, and the wait continues. */
  readonly answer: Promise<CallbackAnswer>;
  /** Shows the result in the browser, then closes the port. */
  finish(page: PageContent): Promise<void>;
  /** Closes the port at once. */
  close(): Promise<void>;
}

/**
 * Listens on the first address that this machine has and whose port is free, on this machine only.
 * @throws {CommandError} `redirect_port_busy` (exit 12) if all ports are in use or forbidden.
 */
export async function listenForCallback(
  targets: readonly LoopbackTarget[],
  state: string,
): Promise<CallbackListener> {
  const unusable: UnusablePort[] = [];
  let failure: unknown;
  for (const target of targets) {
    const visit = new Visit(target.path, state);
    try {
      const servers = await bind(target, visit);
      return toListener(target, visit, servers);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!isUnusable(code) && !isFamilyMissing(code)) throw error;
      failure ??= error;
      if (isUnusable(code)) unusable.push({ target, code });
    }
  }
  throw unusable.length > 0 ? portsBusy(unusable, failure) : failure;
}

/** Whether the port is in use, or this user may not use it, such as a port below 1024. */
function isUnusable(code: string): boolean {
  return code === 'EADDRINUSE' || code === 'EACCES';
}

/** Whether this machine has no such address, such as `::1` on a machine without IPv6. */
function isFamilyMissing(code: string): boolean {
  return code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT';
}

function toListener(target: LoopbackTarget, visit: Visit, servers: readonly Server[]): CallbackListener {
  const close = async (): Promise<void> => {
    await Promise.all(servers.map(closeServer));
  };
  return {
    redirectUri: target.uri,
    answer: visit.answer,
    async finish(page) {
      await visit.finish(page);
      await close();
    },
    close,
  };
}

/** Binds all addresses of the target, or no address. */
async function bind(target: LoopbackTarget, visit: Visit): Promise<readonly Server[]> {
  const servers: Server[] = [];
  try {
    for (const address of target.addresses) {
      const server = createServer((request, response) => visit.handle(request, response));
      const bound = await listen(server, target.port, address).catch((error: NodeJS.ErrnoException) => {
        // On a machine without IPv6, `localhost` is reachable on 127.0.0.1 only.
        if (isFamilyMissing(error.code ?? '') && servers.length > 0) return undefined;
        throw error;
      });
      if (bound) servers.push(bound);
    }
    return servers;
  } catch (error) {
    await Promise.all(servers.map(closeServer));
    throw error;
  }
}

async function listen(server: Server, port: number, host: string): Promise<Server> {
  await startServer(server, { port, host, ipv6Only: true, exclusive: true });
  return server;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The requests of the browser, from the redirect to the last page. */
class Visit {
  readonly answer: Promise<CallbackAnswer>;
  readonly #path: string;
  readonly #state: string;
  readonly #lastPage: Promise<PageContent>;
  #accept: (answer: CallbackAnswer) => void = () => undefined;
  #showLastPage: (page: PageContent) => void = () => undefined;
  #lastPageSent: () => void = () => undefined;
  #accepted = false;

  constructor(path: string, state: string) {
    this.#path = path;
    this.#state = state;
    this.answer = new Promise((resolve) => {
      this.#accept = resolve;
    });
    this.#lastPage = new Promise((resolve) => {
      this.#showLastPage = resolve;
    });
  }

  async finish(page: PageContent): Promise<void> {
    const sent = new Promise<void>((resolve) => {
      this.#lastPageSent = resolve;
    });
    this.#showLastPage(page);
    if (!this.#accepted) return;
    await waitAtMost(lastPageMilliseconds, sent).catch(() => undefined);
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const target = request.url ?? '/';
    // An invalid request target must not end the wait.
    const url = new URL(URL.canParse(target, 'http://localhost') ? target : '/', 'http://localhost');
    const isDone = url.pathname === donePath && this.#accepted && url.search === '';
    if (url.pathname !== this.#path && !isDone) {
      return send(response, 404, {
        good: false,
        title: 'Page not found',
        text: 'There is no page at this address. Return to the terminal.',
      });
    }
    if (request.method !== 'GET') {
      response.setHeader('allow', 'GET');
      return send(response, 405, {
        good: false,
        title: 'Method not allowed',
        text: 'This address accepts only GET requests. Open the sign-in page in a browser.',
      });
    }
    if (isDone) return void this.#done(response);
    this.#callback(url.searchParams, response);
  }

  #callback(parameters: URLSearchParams, response: ServerResponse): void {
    const reply = readCallback(parameters, this.#state);
    if (reply.kind === 'foreign') {
      const text = `This reply does not belong to the current sign-in: ${reply.reason}. ucctl ignored the reply.`;
      return send(response, 400, { good: false, title: 'Request rejected', text });
    }
    this.#accepted = true;
    this.#accept(reply);
    // Redirecting to another page removes the code from the browser's address bar and history.
    response.writeHead(303, { ...pageHeaders, location: donePath, 'content-length': '0' });
    response.end();
  }

  async #done(response: ServerResponse): Promise<void> {
    const page = await this.#lastPage;
    response.once('close', () => this.#lastPageSent());
    send(response, page.good ? 200 : 400, page);
  }
}

function send(response: ServerResponse, status: number, page: PageContent): void {
  const body = renderPage(page);
  response.writeHead(status, {
    ...pageHeaders,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  });
  response.end(body);
}
