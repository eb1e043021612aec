import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { UnknownPathLimit } from './unknown-path-limit.ts';
import type { ConnectionLimit } from '../../../platform/connection-limit.ts';
import { valuesOf } from '../../../platform/raw-headers.ts';
import { sameText } from '../../../platform/same-text.ts';
import { readValidationToken } from './handshake.ts';
import { readNotification } from '../notification/notification.ts';
import type { Intake } from '../subscription/transport.ts';

/** The reply of the listener to one request. */
export interface ReceiverResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The reason why a handshake was rejected: its Host header, or another path than the secret one. */
export type RejectedHandshake = { readonly host: string } | 'path';

export interface ReceiveSettings {
  /** The secret path; requests to other paths get 404. */
  readonly path: string;
  /** The same path after the prefix of the public address, for a proxy that forwards the prefix. */
  readonly publicPaths?: ReadonlySet<string> | undefined;
  readonly intake: Intake;
  /** If set, every notification must have this token in Verification-Token or Validation-Token. */
  readonly verificationToken?: string | undefined;
  /** Accepted Host headers, in lower case with their port; undefined accepts any. */
  readonly hosts?: ReadonlySet<string> | undefined;
  /** Keys of encrypted notifications, newest first. */
  readonly keys?: () => readonly string[];
  /** Called for each successful handshake. */
  readonly onHandshake: () => void;
  /** Called with the reason for each handshake that is rejected because of its Host or path. */
  readonly onRejectedHandshake?: ((reason: RejectedHandshake) => void) | undefined;
}

/** The limits for requests and connections that may not be from the service. */
export interface ReceiveLimits {
  readonly unknownPaths: UnknownPathLimit;
  readonly connections: ConnectionLimit;
}

const maxBodyBytes = 1024 * 1024;
const ok: ReceiverResponse = { status: 200 };

/** Handles one request: a handshake or a notification. Any other request is rejected. */
export async function receive(
  request: IncomingMessage,
  settings: ReceiveSettings,
  { unknownPaths, connections }: ReceiveLimits,
): Promise<ReceiverResponse> {
  const { rawHeaders } = request;
  const hosts = valuesOf(rawHeaders, 'host');
  if (hosts.length > 1) return { status: 400 };
  const rejected = addressProblem(request, hosts[0] ?? '', settings);
  if (rejected === 'path') {
    const isWithinLimit = unknownPaths.admits(request.socket.remoteAddress ?? '');
    return isWithinLimit ? { status: 404 } : { status: 503, headers: { connection: 'close' } };
  }
  if (rejected) return { status: 403 };
  connections.trust(request.socket);
  if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } };
  if (hasHeader(request, 'content-encoding')) return { status: 415 };
  const body = await readBody(request);
  if (body === undefined) return { status: 413, headers: { connection: 'close' } };
  // A request with a body is a notification, regardless of its headers. However, some senders put `{}` into
  // their handshake.
  if (body.length === 0 || (isEmptyObject(body) && readValidationToken(rawHeaders) !== undefined))
    return handleHandshake(rawHeaders, settings);
  return handleNotification(body, rawHeaders, settings);
}

/** Returns why the address of a request is wrong; undefined if it is right. Reports the reason for a handshake. */
function addressProblem(
  request: IncomingMessage,
  host: string,
  settings: ReceiveSettings,
): RejectedHandshake | undefined {
  // This check protects against DNS rebinding: a web page whose host name resolves to this machine sends
  // its own Host.
  const isForeign = settings.hosts && !settings.hosts.has(host.toLowerCase());
  if (!isForeign && isSecretPath(pathOf(request), settings)) return undefined;
  const reason = isForeign ? { host } : 'path';
  if (readValidationToken(request.rawHeaders) !== undefined) settings.onRejectedHandshake?.(reason);
  return reason;
}

async function handleNotification(
  body: Buffer,
  rawHeaders: readonly string[],
  settings: ReceiveSettings,
): Promise<ReceiverResponse> {
  if (!isVerified(rawHeaders, settings.verificationToken)) {
    settings.intake.reject('missing or wrong verification token');
    return { status: 401 };
  }
  const received = isUtf8(body) ? readNotification(body.toString('utf8'), settings.keys?.()) : undefined;
  if (!received) {
    settings.intake.reject('not a notification');
    return { status: 400 };
  }
  try {
    await settings.intake.accept(received);
    return ok;
  } catch {
    return { status: 503 };
  }
}

/** Maximum size in bytes of a body that counts as an empty object: braces and some white space. */
const emptyObjectBytes = 16;

function isEmptyObject(body: Buffer): boolean {
  return body.length <= emptyObjectBytes && /^\s*\{\s*\}\s*$/.test(body.toString('latin1'));
}

function handleHandshake(rawHeaders: readonly string[], settings: ReceiveSettings): ReceiverResponse {
  const token = readValidationToken(rawHeaders);
  if (token === undefined) return { status: 400 };
  settings.onHandshake();
  return { status: 200, headers: { 'validation-token': token, 'content-type': 'application/json' } };
}

/** Whether the notification has the verification token. Services use either header name (WEBHOOK-4). */
function isVerified(rawHeaders: readonly string[], expected: string | undefined): boolean {
  if (expected === undefined) return true;
  const given = [...valuesOf(rawHeaders, 'verification-token'), ...valuesOf(rawHeaders, 'validation-token')];
  const [only, second] = new Set(given);
  return only !== undefined && second === undefined && sameText(only, expected);
}

function isSecretPath(path: string, { path: secret, publicPaths = new Set() }: ReceiveSettings): boolean {
  return [secret, ...publicPaths].some((one) => sameText(path, one));
}

function pathOf(request: IncomingMessage): string {
  return request.url?.split('?', 1)[0] ?? '';
}

function hasHeader(request: IncomingMessage, name: string): boolean {
  const value = request.headers[name];
  return value !== undefined && value !== 'identity';
}

/**
 * Reads the body. Returns undefined as soon as the body is too large; then the rest is not read, and the reply closes
 * the connection.
 * @throws if the sender closes the connection early.
 */
function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= maxBodyBytes) parts.push(part);
      else {
        request.pause();
        resolve(undefined);
      }
    });
    request.once('end', () => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)));
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(new Error('the sender closed the connection'));
    });
  });
}
