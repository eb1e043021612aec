import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Fault, Outgoing } from './fault.ts';

const path = '/restapi/v1.0/subscription';
const capacity = 100;

interface Stored {
  readonly sequence: number;
  readonly frame: string;
}

/** What a client may recover: it lives on without a connection. */
interface Session {
  readonly name: string;
  sequence: number;
  isSubscribed: boolean;
  filters: readonly string[];
  readonly buffer: Stored[];
  socket: WebSocket | undefined;
}

/** One message of the mailbox; each is announced by one event. */
interface Message {
  readonly id: number;
  readonly creationTime: string;
}

/** The name of a service with TLS, and its key pair in PEM format. */
export interface Secure {
  readonly name: string;
  readonly key: string;
  readonly cert: string;
}

/**
 * A small service with live events through WebSockets, which misbehaves as a fault says. It shares no code with the
 * program. Every event announces one message, and the mailbox can be synced, so that a client can repair any loss.
 */
export class MisbehavingService {
  readonly #fault: Fault;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, autoPong: true });
  readonly #sessions = new Map<string, Session>();
  readonly #tokens = new Map<string, 'fresh' | 'used'>();
  readonly #messages: Message[] = [];
  readonly #hanging = new Set<Duplex>();
  readonly #now: () => number;
  readonly #secure: Secure | undefined;
  /** All requests as `METHOD /path`. */
  readonly requests: string[] = [];
  /** Tokens that were presented more than once. */
  readonly reused: string[] = [];
  /** Frames that arrived before the connection details were sent. */
  early = 0;
  connections = 0;
  upgrades = 0;
  subscriptions = 0;
  heartbeats = 0;

  constructor(fault: Fault, now: () => number, secure?: Secure) {
    this.#fault = fault;
    this.#now = now;
    this.#secure = secure;
    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      this.#answer(request, response).catch(() => response.destroy());
    };
    this.#server = secure
      ? createTlsServer({ key: secure.key, cert: secure.cert }, answer)
      : createServer(answer);
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket, head),
    );
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this.origin;
  }

  get origin(): string {
    return this.#secure ? `https://${this.#secure.name}:${this.port}` : `http://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    for (const socket of this.#hanging) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get wstokens(): number {
    return this.requests.filter((line) => line === 'POST /restapi/oauth/wstoken').length;
  }

  get messageIds(): readonly string[] {
    return this.#messages.map(({ id }) => String(id));
  }

  /** Cuts the connections of all clients without a close frame. */
  cut(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  /** Publishes one event; its message exists in any case. */
  publish(): void {
    const id = this.#messages.length + 1;
    const creationTime = new Date(this.#now()).toISOString();
    this.#messages.push({ id, creationTime });
    for (const session of this.#sessions.values())
      if (session.isSubscribed) this.#deliver(session, id, creationTime);
  }

  #deliver(session: Session, id: number, timestamp: string): void {
    session.sequence += 1;
    const { sequence, name } = session;
    const meta = {
      type: 'ServerNotification',
      messageId: `m-${id}`,
      status: 200,
      headers: {},
      wsc: { token: `${name}.${sequence}`, sequence },
    };
    const body = {
      extensionId: '100',
      lastUpdated: timestamp,
      changes: [{ type: 'SMS', newCount: 1, updatedCount: 0, newMessageIds: [String(id)] }],
    };
    const event = session.filters[0] ?? '';
    const envelope = { uuid: `event-${id}`, event, timestamp, subscriptionId: name, ownerId: '100', body };
    const frame = this.#vary([meta, envelope]);
    session.buffer.push({ sequence, frame });
    if (session.buffer.length > capacity) session.buffer.shift();
    if (session.socket) this.#send(session.socket, frame, id);
  }

  #send(socket: WebSocket, frame: string, id: number): void {
    const outgoing: Outgoing = this.#fault.event?.({ frame, id, connection: this.connections }) ?? [frame];
    if (outgoing === 'cut') socket.terminate();
    else if (typeof outgoing === 'object' && 'close' in outgoing) {
      if (outgoing.first !== undefined) socket.send(outgoing.first);
      socket.close(outgoing.close, outgoing.reason);
    } else for (const one of outgoing) socket.send(one);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    const line = `${request.method} ${url.pathname}`;
    this.requests.push(line);
    for await (const _ of request);
    if (line === 'POST /restapi/oauth/wstoken') return this.#issue(response);
    if (url.pathname.endsWith('/message-sync')) return this.#sync(url, response);
    return reply(response, 404, { errorCode: 'CMN-102', message: 'Resource not found' });
  }

  #issue(response: ServerResponse): void {
    const rejected = this.#fault.token?.(this.wstokens);
    if (rejected) return reply(response, rejected.status, rejected.body, rejected.headers);
    const token = `wstoken-${this.wstokens}-of-this-service`;
    this.#tokens.set(token, 'fresh');
    const uri = `${this.origin.replace('http', 'ws')}${path}`;
    return reply(response, 200, { uri, ws_access_token: token, expires_in: 30 });
  }

  #sync(url: URL, response: ServerResponse): void {
    const known = Number(url.searchParams.get('syncToken') ?? 0);
    const records = this.#messages.slice(known).map(({ id, creationTime }) => ({
      id,
      type: 'SMS',
      direction: 'Inbound',
      availability: 'Alive',
      creationTime,
      lastModifiedTime: creationTime,
    }));
    const syncInfo = {
      syncType: url.searchParams.get('syncType'),
      syncToken: String(this.#messages.length),
      syncTime: new Date(this.#now()).toISOString(),
    };
    reply(response, 200, { uri: url.href.replace('~/extension/~', '~/extension/100'), records, syncInfo });
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.upgrades += 1;
    const url = new URL(request.url ?? '/', this.origin);
    const token = url.searchParams.get('access_token') ?? '';
    const state = this.#tokens.get(token);
    if (state === 'used') this.reused.push(token);
    this.#tokens.set(token, 'used');
    const status = this.#fault.upgrade?.(this.upgrades) ?? (state === 'fresh' ? undefined : 401);
    if (status === 'hang') return void this.#hanging.add(socket);
    if (status === 'destroy') return void socket.destroy();
    if (status !== undefined) {
      const { retryAfter = 2 } = this.#fault;
      socket.end(`HTTP/1.1 ${status} Rejected\r\nRetry-After: ${retryAfter}\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (opened) =>
      this.#open(opened, url.searchParams.get('wsc')),
    );
  }

  #open(socket: WebSocket, wsc: string | null): void {
    this.connections += 1;
    const connection = this.connections;
    let isGreeted = false;
    const [name = '', position = '0'] = wsc?.split('.') ?? [];
    const known = this.#fault.recovery?.(connection) === 'Failed' ? undefined : this.#sessions.get(name);
    const session = known ?? this.#newSession();
    socket.on('message', (data) => {
      if (!isGreeted) this.early += 1;
      this.#take(socket, session, JSON.parse((data as Buffer).toString('utf8')), connection);
    });
    socket.on('close', () => {
      if (session.socket === socket) session.socket = undefined;
    });
    const greeting = this.#fault.greeting?.(connection) ?? 'normal';
    if (greeting === 'none') return;
    if (greeting !== 'normal') for (const frame of greeting) socket.send(frame);
    session.socket = socket;
    isGreeted = true;
    socket.send(this.#vary(detailsOf(session, wsc !== null, known !== undefined)));
    if (known) this.#replay(socket, session, Number(position));
    this.#fault.opened?.({ socket, connection });
  }

  #replay(socket: WebSocket, session: Session, position: number): void {
    for (const { sequence, frame } of session.buffer)
      if (sequence > position)
        this.#send(socket, frame, Number(/"uuid":\s*"event-(\d+)"/.exec(frame)?.[1] ?? 0));
  }

  #newSession(): Session {
    // Digits, so that a variant may write the id as a number.
    const name = String(5001 + this.#sessions.size);
    const session: Session = {
      name,
      sequence: 0,
      isSubscribed: false,
      filters: [],
      buffer: [],
      socket: undefined,
    };
    this.#sessions.set(name, session);
    return session;
  }

  #take(socket: WebSocket, session: Session, frame: unknown, connection: number): void {
    const [meta, body] = frame as [
      { type: string; messageId: string; method?: string },
      { eventFilters?: string[] } | undefined,
    ];
    if (meta.type === 'Heartbeat') {
      this.heartbeats += 1;
      if (this.#fault.isSilent?.(connection) !== true) socket.send(JSON.stringify([{ ...meta }]));
      return;
    }
    this.subscriptions += 1;
    const own = this.#fault.response?.({ messageId: meta.messageId, connection });
    if (own) {
      for (const one of own) socket.send(one);
      return;
    }
    // Only the newest session of the client delivers, as a subscription belongs to one connection.
    for (const other of this.#sessions.values()) if (other !== session) other.isSubscribed = false;
    session.isSubscribed = true;
    session.filters = (body?.eventFilters ?? []).map((filter) =>
      filter.replace('~/extension/~', '~/extension/100'),
    );
    const answer = {
      id: session.name,
      uri: `${this.origin}${path}/${session.name}`,
      eventFilters: session.filters,
      deliveryMode: { transportType: 'WebSocket', encryption: false },
      status: 'Active',
      creationTime: new Date(this.#now()).toISOString(),
      expirationTime: new Date(this.#now() + 86_400_000).toISOString(),
      expiresIn: 86_400,
    };
    socket.send(this.#vary([{ type: 'ClientRequest', messageId: meta.messageId, status: 200 }, answer]));
  }

  #vary(frame: unknown): string {
    const text = JSON.stringify(frame);
    return this.#fault.frame?.(text) ?? text;
  }
}

function detailsOf(session: Session, hasPosition: boolean, isKnown: boolean): unknown {
  const { name, sequence } = session;
  return [
    {
      type: 'ConnectionDetails',
      messageId: `details-${name}-${sequence}`,
      status: 200,
      wsc: { token: `${name}.${sequence}`, sequence },
    },
    {
      creationTime: '2026-11-22T00:00:00.000Z',
      maxConnectionsPerSession: 50,
      recoveryBufferSize: capacity,
      recoveryTimeout: 180,
      idleTimeout: 1800,
      absoluteTimeout: 86_400,
      maxActiveRequests: 10,
      ...(hasPosition && { recoveryState: isKnown ? 'Successful' : 'Failed' }),
    },
  ];
}

function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
