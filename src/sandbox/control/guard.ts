import type { IncomingMessage } from 'node:http';
import { ControlError } from './control-error.ts';

const names = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Lets pass what comes from this machine and means it: no page of a browser, no name that someone else's server resolves to here.
 * Requests in process have no socket and pass.
 * @throws {ControlError} 403.
 */
export function checkOrigin(request: Request, incoming: IncomingMessage | undefined): void {
  if (!incoming) return;
  if (!isLoopback(incoming.socket.remoteAddress))
    throw refused('the control surface is for this machine only');
  const host = incoming.headers.host ?? '';
  const port = String(incoming.socket.localPort);
  const [, name = '', given = '80'] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  if (!names.has(name.toLowerCase()) || given !== port) throw refused(`the host ${host} is not this sandbox`);
  const origin = request.headers.get('origin');
  if (origin !== null && !isOwn(origin, port)) throw refused(`requests from ${origin} are not allowed`);
}

function isOwn(origin: string, port: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return names.has(url.hostname) && url.port === port;
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::1$|127\.|::ffff:127\.)/.test(address);
}

function refused(message: string): ControlError {
  return new ControlError(403, 'forbidden', message);
}
