import { timingSafeEqual, createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readValidationToken, valuesOf } from './handshake.ts';
import { readNotification } from './notification.ts';
import type { Inbox } from './memory-inbox.ts';

/** What the listener answers. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ReceiveSettings {
  /** The secret path; any other gets 404. */
  readonly path: string;
  readonly inbox: Inbox;
  /** When set, every notification must carry it in Verification-Token or Validation-Token. */
  readonly verificationToken?: string | undefined;
  /** Called for each handshake that was answered. */
  readonly onHandshake: () => void;
}

const largestBody = 1024 * 1024;

/** Judges one request and gives the answer to send: handshake, notification, or a refusal without a body. */
export async function receive(request: IncomingMessage, settings: ReceiveSettings): Promise<Answer> {
  const { rawHeaders } = request;
  if (valuesOf(rawHeaders, 'host').length > 1) return { status: 400 };
  if (!sameText(pathOf(request), settings.path)) return { status: 404 };
  if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } };
  if (hasHeader(request, 'content-encoding')) return { status: 415 };
  const raw = await readBody(request);
  if (raw === undefined) return { status: 413, headers: { connection: 'close' } };
  // With a body it is a notification, whatever its headers (coverage, ruling 3).
  if (raw === '') return answerHandshake(rawHeaders, settings);
  if (!isVerified(rawHeaders, settings.verificationToken)) return { status: 401 };
  const received = readNotification(raw);
  if (!received) return { status: 400 };
  await settings.inbox.accept(received);
  return { status: 200 };
}

function answerHandshake(rawHeaders: readonly string[], settings: ReceiveSettings): Answer {
  const token = readValidationToken(rawHeaders);
  if (token === undefined) return { status: 400 };
  settings.onHandshake();
  return { status: 200, headers: { 'validation-token': token, 'content-type': 'application/json' } };
}

/** Both header names are in use for it (facts 1.1, webhook delivery). */
function isVerified(rawHeaders: readonly string[], expected: string | undefined): boolean {
  if (expected === undefined) return true;
  const given = [...valuesOf(rawHeaders, 'verification-token'), ...valuesOf(rawHeaders, 'validation-token')];
  const [only, second] = new Set(given);
  return only !== undefined && second === undefined && sameText(only, expected);
}

/** Compares in a time that says nothing about how much of it was right. */
function sameText(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function pathOf(request: IncomingMessage): string {
  return request.url?.split('?', 1)[0] ?? '';
}

function hasHeader(request: IncomingMessage, name: string): boolean {
  const value = request.headers[name];
  return value !== undefined && value !== 'identity';
}

/**
 * The body as UTF-8; undefined as soon as it is too large: the rest is left unread, and the answer closes the connection.
 * @throws when the sender breaks off.
 */
function readBody(request: IncomingMessage): Promise<string | undefined> {
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
    request.once('end', () => resolve(Buffer.concat(parts).toString('utf8')));
    request.once('error', reject);
    request.once('close', () => reject(new Error('the sender broke off')));
  });
}
