import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { webSocket } from '../../contract/limits.ts';
import type { AcceptSocket } from '../sockets/server.ts';
import type { World } from '../world/world.ts';
import { isRegistered } from './cors.ts';
import { isEveryAddress } from './every-address.ts';
import { rejectRaw } from './raw-reply.ts';
import { logUnrouted } from './rejections.ts';

/** The options for serving WebSockets on a port. */
export interface SocketPort {
  readonly world: World;
  readonly accept: AcceptSocket;
  /** The host that the sandbox listens on. */
  readonly host: string;
}

type Rejection = readonly [status: number, errorCode: string, message: string];

/**
 * Serves upgrade requests of a server: WebSockets, and everything else as ordinary HTTP.
 * @returns a function that ends all upgraded connections, which the server itself does not end.
 */
export function serveUpgrades(server: Server, isSecure: boolean, port: SocketPort): () => void {
  const open = new Set<Duplex>();
  // From Node 24.9 on, the server itself serves the other requests over HTTP/1.1. Node 26 gives no socket for them.
  Object.assign(server, { shouldUpgradeCallback: asksForWebSocket });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!asksForWebSocket(request)) return serveWithoutUpgrade(server, isSecure, request, socket, head);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    const { world } = port;
    const rejection = rejectionOf(request, port);
    const { method = '', url: target = '' } = request;
    if (!rejection) {
      logUnrouted(world, { method, target, status: 101 });
      return port.accept(request, socket, head);
    }
    const [status, errorCode, message] = rejection;
    logUnrouted(world, { method, target, status, errorCode, message });
    const errors = status === 404 ? [] : [{ errorCode, message }];
    rejectRaw(socket, status, { errorCode, message, errors });
  });
  return () => {
    for (const socket of open) socket.destroy();
  };
}

function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return /(^|,)\s*websocket\s*(,|$)/i.test(headers.upgrade ?? '');
}

/**
 * Serves a request that offers another protocol, such as `h2c`, over HTTP/1.1, like a server without upgrades. The
 * socket gets a new parser, which reads the request again without the offer.
 */
function serveWithoutUpgrade(
  server: Server,
  isSecure: boolean,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (/^(upgrade|http2-settings)$/i.test(name)) continue;
    const isConnection = /^connection$/i.test(name);
    const shown = isConnection ? withoutOffer(value) : value;
    if (!isConnection || shown !== '') lines.push(`${name}: ${shown}`);
  }
  const text = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  socket.unshift(Buffer.concat([text, head]));
  server.emit(isSecure ? 'secureConnection' : 'connection', socket);
}

/** Returns the header Connection without the options that offer another protocol. */
function withoutOffer(value: string): string {
  return value
    .split(',')
    .map((option) => option.trim())
    .filter((option) => !/^(upgrade|http2-settings)$/i.test(option))
    .join(', ');
}

function rejectionOf(request: IncomingMessage, { world, host }: SocketPort): Rejection | undefined {
  const given = hostOf(request.headers.host);
  const isPublic = world.publicUrl !== undefined && given === new URL(world.publicUrl).hostname;
  if (given === undefined || !(isPublic || isKnownHost(given, host))) {
    return [421, 'CMN-407', 'Header [Host] does not name this sandbox'];
  }
  const { origin } = request.headers;
  if (origin !== undefined && !isAllowedOrigin(world, origin, request.headers.host ?? '')) {
    return [403, 'CMN-407', 'Header [Origin] is not allowed'];
  }
  const [path = ''] = (request.url ?? '').split('?', 1);
  if (path.replace(/\/$/, '') !== webSocket.path) return [404, 'AGW-404', 'Resource not found'];
  const status = world.faults.onSocketUpgrade();
  return status === undefined ? undefined : [status, 'CMN-201', 'Fault injected in the sandbox'];
}

/** Returns the name or IP address of a Host header, without its port. */
function hostOf(header: string | undefined): string | undefined {
  const isValid = header !== undefined && /^(\[[\da-f:.]+\]|[\w.-]+)(:\d+)?$/i.test(header);
  return isValid ? header.replace(/:\d+$/, '').toLowerCase() : undefined;
}

/**
 * Accepts IP addresses, localhost and the host that the sandbox listens on: another name may belong to a page whose
 * server resolves the name to this machine. A sandbox that listens on all addresses accepts every name, because its
 * users choose the name.
 */
function isKnownHost(given: string, host: string): boolean {
  const isAddress = given.startsWith('[') || /^[\d.]+$/.test(given);
  return isAddress || given === 'localhost' || given === host.toLowerCase() || isEveryAddress(host);
}

/** Whether an origin belongs to the sandbox itself or to a registered browser app. */
function isAllowedOrigin(world: World, origin: string, host: string): boolean {
  if (isRegistered(world, origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
