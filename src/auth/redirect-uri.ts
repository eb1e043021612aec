import { CommandError, Exit, usageError } from '../errors/command.ts';
import { maskUserInfo } from '../platform/user-info.ts';

/** Addresses and port of a redirect URI on this machine. */
export interface LoopbackTarget {
  readonly uri: string;
  readonly addresses: readonly string[];
  readonly port: number;
  readonly path: string;
}

/**
 * Reads a redirect URI of this machine. Undefined for a custom scheme or another host, for which the user pastes the
 * final address. For `localhost`, the addresses are IPv4 and IPv6, because a browser may use either.
 */
function toLoopbackTarget(uri: string): LoopbackTarget | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const addresses = url?.protocol === 'http:' ? loopbackAddresses(url.hostname) : undefined;
  if (!url || !addresses) return undefined;
  return { uri, addresses, port: url.port === '' ? 80 : Number(url.port), path: url.pathname };
}

function loopbackAddresses(host: string): readonly string[] | undefined {
  if (host === 'localhost') return ['127.0.0.1', '::1'];
  if (host === '[::1]') return ['::1'];
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host) ? [host] : undefined;
}

/** Whether a redirect in a browser on this machine reaches this process. */
export function returnsHere(uri: string): boolean {
  return toLoopbackTarget(uri) !== undefined;
}

/**
 * Returns the command for another machine that makes its browser reach a redirect URI of this machine. `HOST` stands for
 * this machine.
 */
export function tunnelCommand(uri: string): string {
  const { hostname, port } = new URL(uri);
  const address = hostname === 'localhost' ? '127.0.0.1' : hostname;
  const number = port === '' ? '80' : port;
  return `ssh -L ${number}:${address}:${number} HOST`;
}

/** Returns the redirect URIs on this machine, in order. @throws {CommandError} `usage` if there is none. */
export function loopbackTargets(uris: readonly string[]): readonly LoopbackTarget[] {
  const targets = uris.map(toLoopbackTarget).filter((target) => target !== undefined);
  if (targets.length > 0) return targets;
  throw usageError(
    `no redirect URI points to this machine: ${uris.map(maskUserInfo).join(', ')}`,
    'use --no-browser and paste the final address from the browser, or register the redirect URI http://127.0.0.1:8734/callback',
  );
}

/** A redirect URI on whose port ucctl could not listen, and the error code of the system. */
export interface UnusablePort {
  readonly target: LoopbackTarget;
  readonly code: string;
}

/** Returns the error (exit 12) for redirect URIs whose ports are in use or forbidden. */
export function portsBusy(unusable: readonly UnusablePort[], cause: unknown): CommandError {
  const isForbidden = ({ code }: UnusablePort): boolean => code === 'EACCES';
  const forbidden = unusable.filter(isForbidden);
  const busy = unusable.filter((one) => !isForbidden(one));
  const [first] = busy;
  const stop = first && `stop the program that uses port ${first.target.port}, `;
  return new CommandError(
    'redirect_port_busy',
    Exit.local,
    [
      ...(busy.length > 0 ? [portsText(busy, 'in use')] : []),
      ...(forbidden.length > 0 ? [portsText(forbidden, 'not available: permission denied')] : []),
    ].join('; '),
    {
      hint: `${stop ?? ''}set another registered URI with --redirect-uri, or use --no-browser`,
      cause,
    },
  );
}

function portsText(unusable: readonly UnusablePort[], state: string): string {
  const ports = unusable.map(({ target }) => target.port).join(', ');
  return unusable.length === 1
    ? `port ${ports} of the redirect URI is ${state}`
    : `ports ${ports} of the redirect URIs are ${state}`;
}
