import { maskUserInfo } from './user-info.ts';

/** The address of a JetStream stream: `nats://HOST:PORT/STREAM`, or `tls://` to require TLS. */
export interface NatsAddress {
  /** Host and port, without user and password. */
  readonly server: string;
  readonly stream: string;
  readonly tls: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Copies of the stream in a cluster. */
  readonly replicas: number;
}

const defaultPort = '4222';
const mostReplicas = 5;

/** Whether a text is the address of a NATS server. */
export function isNatsUrl(text: string): boolean {
  return /^(nats|tls):\/\//i.test(text);
}

/** Reads the address of a stream. @throws {RangeError} with a message that contains no password. */
export function readNatsUrl(text: string): NatsAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !isNatsUrl(text) || url.hostname === '')
    throw new RangeError('the NATS address is not valid; use nats://HOST:PORT/STREAM');
  const stream = url.pathname.slice(1);
  if (!/^[\w-]{1,64}$/.test(stream))
    throw new RangeError(
      'the NATS address must end with the name of a stream (at most 64 letters, digits, - and _): nats://HOST:PORT/STREAM',
    );
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'replicas');
  if (unknown !== undefined)
    throw new RangeError(
      `unknown parameter "${maskUserInfo(unknown)}" in the NATS address; the only supported parameter is replicas`,
    );
  const replicas = Number(url.searchParams.get('replicas') ?? 1);
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > mostReplicas)
    throw new RangeError(`replicas in the NATS address must be a number from 1 to ${mostReplicas}`);
  return {
    server: `${url.hostname}:${url.port || defaultPort}`,
    stream,
    tls: url.protocol === 'tls:',
    user: decoded(url.username),
    password: decoded(url.password),
    replicas,
  };
}

function decoded(text: string): string | undefined {
  if (text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RangeError('the user or password in the NATS address is not valid; encode % as %25');
  }
}
