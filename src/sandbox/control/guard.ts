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
  if (!isLoopback(incoming.socket.remoteAddress))
    throw forbidden('the control API accepts requests only from this machine');
  const host = incoming.headers.host ?? '';
  const port = String(incoming.socket.localPort);
  const usual = defaultPorts['encrypted' in incoming.socket ? 'https:' : 'http:'];
  const [, name = '', given = usual] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  if (!names.has(name.toLowerCase()) || given !== port)
    throw forbidden(`host ${host} is not the address of this sandbox`);
  const origin = request.headers.get('origin');
  if (origin !== null && !isOwn(origin, port)) throw forbidden(`requests from ${origin} are not allowed`);
}

function isOwn(origin: string, port: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return names.has(url.hostname) && (url.port || defaultPorts[url.protocol]) === port;
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::1$|127\.|::ffff:127\.)/.test(address);
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
