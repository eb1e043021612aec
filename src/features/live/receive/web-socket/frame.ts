import type { RecoveryState, WebSocketPosition } from '../../../../contract/web-socket.ts';
import { isJsonObject, parseJson, stringifyJson } from '../../../../platform/json.ts';
import { endOfObject, isDeeperThan } from '../../notification/json-depth.ts';
import { lookupTable } from '../../../../platform/lookup-table.ts';

/** A frame of the server. Members of the contract that are missing or invalid are undefined. */
export type Frame =
  | {
      readonly kind: 'details';
      readonly position: WebSocketPosition | undefined;
      readonly recoveryState: RecoveryState | undefined;
      readonly recoveryBufferSize: number | undefined;
    }
  | {
      readonly kind: 'response';
      readonly messageId: string;
      readonly status: number;
      readonly retryAfter: number | undefined;
      readonly body: unknown;
    }
  | {
      readonly kind: 'notification';
      readonly envelope: unknown;
      /** The envelope as JSON, as the service sent it. */
      readonly raw: string;
      readonly position: WebSocketPosition | undefined;
    }
  | { readonly kind: 'heartbeat' }
  | {
      readonly kind: 'error';
      readonly messageId: string | undefined;
      readonly status: number;
      readonly code: string;
      readonly message: string;
    }
  | { readonly kind: 'unknown'; readonly type: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

type Json = Readonly<Record<string, unknown>>;

/** Maximum nesting of a frame: one level more than a notification may have. */
const maxDepth = 101;
const maxTypeCharacters = 40;

/** Parses one text frame. Never throws: a frame that cannot be read has kind `unreadable`. */
export function readFrame(text: string): Frame {
  if (isDeeperThan(text, maxDepth)) return { kind: 'unreadable', reason: 'frame that is nested too deeply' };
  let value: unknown;
  let raw: string | undefined;
  try {
    ({ value, raw } = parseFrame(text));
  } catch {
    return { kind: 'unreadable', reason: 'frame that is not JSON' };
  }
  if (!Array.isArray(value) || value.length === 0)
    return { kind: 'unreadable', reason: 'frame that is not an array of metadata and body' };
  const [meta, body] = value as readonly unknown[];
  if (!isJsonObject(meta) || typeof meta['type'] !== 'string')
    return { kind: 'unreadable', reason: 'frame without a type' };
  return (
    readers[meta['type']]?.(meta, body, raw) ?? {
      kind: 'unknown',
      type: meta['type'].slice(0, maxTypeCharacters),
    }
  );
}

/**
 * Parses the metadata and the body of a frame separately, so that the text of the body is known. @throws {SyntaxError}
 */
function parseFrame(text: string): { readonly value: unknown; readonly raw: string | undefined } {
  const comma = text.startsWith('[{') ? endOfObject(text, 1) : -1;
  const end = text.lastIndexOf(']');
  if (text[comma] === ',' && text.slice(end + 1).trim() === '') {
    try {
      const raw = text.slice(comma + 1, end).trim();
      return { value: [parseJson(text.slice(1, comma)), parseJson(raw)], raw };
    } catch {
      // The frame has more than two elements, or is not JSON.
    }
  }
  return { value: parseJson(text), raw: undefined };
}

const readers: Readonly<Record<string, (meta: Json, body: unknown, raw?: string) => Frame>> = lookupTable({
  ConnectionDetails: (meta, body) => {
    const details = isJsonObject(body) ? body : {};
    const state = details['recoveryState'];
    const size = details['recoveryBufferSize'];
    return {
      kind: 'details',
      position: positionOf(meta),
      recoveryState: state === 'Successful' || state === 'Failed' ? state : undefined,
      recoveryBufferSize: typeof size === 'number' ? size : undefined,
    };
  },
  ClientRequest: (meta, body) => ({
    kind: 'response',
    messageId: textOf(meta['messageId']) ?? '',
    status: statusOf(meta),
    retryAfter: retryAfterOf(meta),
    body,
  }),
  ServerNotification: (meta, body, raw) => ({
    kind: 'notification',
    envelope: body,
    raw: raw ?? stringifyJson(body ?? null),
    position: positionOf(meta),
  }),
  Heartbeat: () => ({ kind: 'heartbeat' }),
  Error: (meta, body) => {
    const error = isJsonObject(body) ? body : {};
    return {
      kind: 'error',
      messageId: textOf(meta['messageId']),
      status: statusOf(meta),
      code: textOf(error['errorCode']) ?? 'unknown',
      message: textOf(error['message']) ?? 'no message',
    };
  },
});

function positionOf(meta: Json): WebSocketPosition | undefined {
  const wsc = meta['wsc'];
  if (!isJsonObject(wsc) || typeof wsc['token'] !== 'string' || wsc['token'] === '') return undefined;
  return { token: wsc['token'], sequence: Number(wsc['sequence'] ?? 0) };
}

function statusOf(meta: Json): number {
  return typeof meta['status'] === 'number' ? meta['status'] : 0;
}

function retryAfterOf(meta: Json): number | undefined {
  const { headers } = meta as { readonly headers?: unknown };
  if (!isJsonObject(headers)) return undefined;
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
  const seconds = Number(found ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
