import { timingSafeEqual } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { StrangerLimit } from './stranger-limit.ts';
import { readValidationToken, valuesOf } from './handshake.ts';
import { readNotification } from '../notification/notification.ts';
import type { Intake } from '../subscription/transport.ts';

/** What the listener answers. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ReceiveSettings {
  /** The secret path; any other gets 404. */
  readonly path: string;
  readonly intake: Intake;
  /** When set, every notification must carry it in Verification-Token or Validation-Token. */
  readonly verificationToken?: string | undefined;
  /** Host headers that are answered, in lower case with their port; any when absent. */
  readonly hosts?: ReadonlySet<string> | undefined;
  /** Keys that encrypted notifications may have been made with. */
  readonly keys?: () => readonly string[];
  /** Called for each handshake that was answered. */
  readonly onHandshake: () => void;
}

const largestBody = 1024 * 1024;
const ok: Answer = { status: 200 };

/** Answers one request: a handshake, a notification, or a rejection without a body. */
export async function receive(
  request: IncomingMessage,
  settings: ReceiveSettings,
  strangers: StrangerLimit,
): Promise<Answer> {
  const { rawHeaders } = request;
  const hosts = valuesOf(rawHeaders, 'host');
  if (hosts.length > 1) return { status: 400 };
  // A page of another site that resolves its name to this machine gives that name (DNS rebinding).
  if (settings.hosts && !settings.hosts.has(hosts[0]?.toLowerCase() ?? '')) return { status: 403 };
  if (!sameText(pathOf(request), settings.path)) {
    const known = strangers.admits(request.socket.remoteAddress ?? '');
    return known ? { status: 404 } : { status: 503, headers: { connection: 'close' } };
  }
  if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } };
  if (hasHeader(request, 'content-encoding')) return { status: 415 };
  const body = await readBody(request);
  if (body === undefined) return { status: 413, headers: { connection: 'close' } };
  // With a body it is a notification, whatever its headers; but some senders write `{}` into their handshake.
  if (body.length === 0 || (isEmptyObject(body) && readValidationToken(rawHeaders) !== undefined))
    return answerHandshake(rawHeaders, settings);
  return takeNotification(body, rawHeaders, settings);
}

async function takeNotification(
  body: Buffer,
  rawHeaders: readonly string[],
  settings: ReceiveSettings,
): Promise<Answer> {
  if (!isVerified(rawHeaders, settings.verificationToken)) {
    storeRejected(settings.intake, 'without the verification token', body);
    return { status: 401 };
  }
  const received = isUtf8(body) ? readNotification(body.toString('utf8'), settings.keys?.()) : undefined;
  if (!received) {
    storeRejected(settings.intake, 'no notification', body);
    return { status: 400 };
  }
  try {
    await settings.intake.accept(received);
    return ok;
  } catch {
    return { status: 503 };
  }
}

/** Stores the body of a rejected request for inspection; the answer does not depend on it. */
function storeRejected(intake: Intake, reason: string, body: Buffer): void {
  try {
    intake.reject(reason, body);
  } catch {
    // The disk is full.
  }
}

/** Longest body that is looked at as an empty object, in bytes: braces and some white space. */
const emptyObjectBytes = 16;

function isEmptyObject(body: Buffer): boolean {
  return body.length <= emptyObjectBytes && /^\s*\{\s*\}\s*$/.test(body.toString('latin1'));
}

function answerHandshake(rawHeaders: readonly string[], settings: ReceiveSettings): Answer {
  const token = readValidationToken(rawHeaders);
  if (token === undefined) return { status: 400 };
  settings.onHandshake();
  return { status: 200, headers: { 'validation-token': token, 'content-type': 'application/json' } };
}

/** Services use either header name for the token (WEBHOOK-4). */
function isVerified(rawHeaders: readonly string[], expected: string | undefined): boolean {
  if (expected === undefined) return true;
  const given = [...valuesOf(rawHeaders, 'verification-token'), ...valuesOf(rawHeaders, 'validation-token')];
  const [only, second] = new Set(given);
  return only !== undefined && second === undefined && sameText(only, expected);
}

/** Compares in a time that says nothing about how much of it was right; the length is no secret. */
function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function pathOf(request: IncomingMessage): string {
  return request.url?.split('?', 1)[0] ?? '';
}

function hasHeader(request: IncomingMessage, name: string): boolean {
  const value = request.headers[name];
  return value !== undefined && value !== 'identity';
}

/**
 * The body; undefined as soon as it is too large: the rest is left unread, and the answer closes the connection.
 * @throws when the sender breaks off.
 */
function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > largestBody) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= largestBody) parts.push(part);
      else {
        request.pause();
        resolve(undefined);
      }
    });
    request.once('end', () => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)));
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(new Error('the sender broke off'));
    });
  });
}
