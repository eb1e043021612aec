import type { IncomingMessage } from 'node:http';
import { ControlError } from './control-error.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

const names = new Set(['localhost', '127.0.0.1', '[::1]']);
/** The ports that browsers omit from the headers Host and Origin. */
const defaultPorts: Readonly<Record<string, string>> = lookupTable({ 'http:': '80', 'https:': '443' });

/**
 * Rejects requests of other machines, of web pages of another origin, and under a host name that another server may
 * resolve to this machine (DNS rebinding). Requests in process have no socket and are accepted.
 * @throws {ControlError} 403.
 */
export function checkOrigin(request: Request, incoming: IncomingMessage | undefined): void {
  if (!incoming) return;
  const { remoteAddress = '', localAddress, localPort } = incoming.socket;
  // A connection of this machine to one of its other addresses (`--host`) comes from the same address.
  if (!isLoopback(remoteAddress) && remoteAddress !== localAddress)
    throw forbidden('the control API accepts requests only from this machine');
  const host = incoming.headers.host ?? '';
  const port = String(localPort);
  const usual = defaultPorts['encrypted' in incoming.socket ? 'https:' : 'http:'];
  const [, name = '', given = usual] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  if (!isOwnName(name.toLowerCase(), localAddress) || given !== port)
    throw forbidden(`host ${host} is not the address of this sandbox`);
  const origin = request.headers.get('origin');
  if (origin !== null && !isOwn(origin, port, localAddress))
    throw forbidden(`requests from ${origin} are not allowed`);
}

function isOwn(origin: string, port: string, address: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return isOwnName(url.hostname, address) && (url.port || defaultPorts[url.protocol]) === port;
}

/** Whether a host is this machine, or the address that the client has connected to, which no DNS server can change. */
function isOwnName(name: string, address = ''): boolean {
  if (names.has(name)) return true;
  const own = address.replace(/^::ffff:/, '');
  return own !== '' && name === (own.includes(':') ? `[${own}]` : own);
}

function isLoopback(address: string): boolean {
  return /^(::1$|127\.|::ffff:127\.)/.test(address);
}

function forbidden(message: string): ControlError {
  return new ControlError(403, 'forbidden', message);
}

/**
 * Rejects requests that a browser sends for a page of another origin, including requests without an Origin header, such
 * as images. Programs do not send this header.
 * @throws {ControlError} 403.
 */
export function checkSite(request: Request): void {
  const site = request.headers.get('sec-fetch-site') ?? 'none';
  if (site !== 'same-origin' && site !== 'none')
    throw forbidden('requests from pages of another origin are not allowed');
}
