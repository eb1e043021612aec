import { CommandError, Exit, usageError } from '../errors/command.ts';

/** Where a redirect address can be listened at. */
export interface LoopbackTarget {
  readonly uri: string;
  readonly addresses: readonly string[];
  readonly port: number;
  readonly path: string;
}

/**
 * Reads a redirect address as one of this machine. Undefined for any other: a custom scheme or another host completes by paste.
 * `localhost` listens on both families, because browsers may choose either.
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

/** Whether a browser of this machine brings the answer back by itself. */
export function returnsHere(uri: string): boolean {
  return toLoopbackTarget(uri) !== undefined;
}

/** The addresses that can be listened at, in order. @throws {CommandError} `usage` when there is none. */
export function loopbackTargets(uris: readonly string[]): readonly LoopbackTarget[] {
  const targets = uris.map(toLoopbackTarget).filter((target) => target !== undefined);
  if (targets.length > 0) return targets;
  throw usageError(
    `no redirect address is on this machine: ${uris.join(', ')}`,
    'use --no-browser and paste the address that the browser ends at, or register http://127.0.0.1:8734/callback',
  );
}

/** Every port is taken (exit 12). */
export function portsBusy(targets: readonly LoopbackTarget[], cause: unknown): CommandError {
  const [first] = targets;
  const ports = targets.map((target) => target.port).join(', ');
  return new CommandError(
    'redirect_port_busy',
    Exit.local,
    targets.length === 1
      ? `port ${ports} of the redirect address is in use`
      : `ports ${ports} of the redirect addresses are in use`,
    {
      hint: `end what listens on port ${first?.port ?? ''}, or name another registered address with --redirect-uri, or use --no-browser`,
      cause,
    },
  );
}
