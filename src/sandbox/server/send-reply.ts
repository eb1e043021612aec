import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { BatchHead, BatchReply } from '../../contract/batch.ts';
import { idsPerBody } from '../../contract/limits.ts';
import type { Operation, OperationId } from '../../contract/operations.ts';
import { parseJson, stringifyJson } from '../../platform/json.ts';
import type { Reply } from '../request/call.ts';
import { ContractViolation } from '../request/errors.ts';
import { parseMultipart } from '../request/multipart.ts';
import type { ReplyQueue } from './reply-queue.ts';

/** The connection of a request that came over a socket. */
export interface Socket {
  readonly outgoing?: ServerResponse;
  /** Headers of every reply: the request ID and the time of the service. */
  readonly about: Readonly<Record<string, string>>;
  readonly replies: ReplyQueue;
}
/** A reply with status, headers and body. */
interface ReadyReply extends Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Characters of a text from which converting it to bytes first is faster. */
const longText = 65_536;

const jsonType = 'application/json;charset=UTF-8';
/** The header of replies whose text does not depend on the language of the request (BASE-23). */
export const defaultLanguage = { 'content-language': 'en-US' } as const;

/**
 * Writes a complete reply directly to the socket, which is much faster than a Response. Undefined for a reply in pieces
 * and for requests in process, which need a Response.
 */
export function sendDirectly(reply: ReadyReply, socket: Socket | undefined): Response | undefined {
  const { outgoing } = socket ?? {};
  if (!outgoing || !socket || reply.jsonPieces) return undefined;
  const { status } = reply;
  const headers = { ...defaultLanguage, ...reply.headers };
  const body = reply.bytes ?? toBytes(jsonText(reply.json) ?? reply.text);
  if (status === 204 || body === undefined) {
    outgoing.writeHead(status, { ...headers, ...socket.about });
    socket.replies.end(outgoing);
    return RESPONSE_ALREADY_SENT;
  }
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  outgoing.writeHead(status, {
    ...headers,
    ...(reply.json !== undefined && { 'content-type': jsonType }),
    'content-length': length,
    ...socket.about,
  });
  socket.replies.end(outgoing, body);
  return RESPONSE_ALREADY_SENT;
}

/** Converts a long text to bytes, because a socket encodes text much more slowly. A short text is sent together with its headers. */
function toBytes(text: string | undefined): string | Uint8Array | undefined {
  return text !== undefined && text.length > longText ? Buffer.from(text) : text;
}

/** Converts a reply to a Response. JSON in pieces is streamed. */
export function toResponse(reply: ReadyReply): Response {
  const { status } = reply;
  const headers = new Headers({ ...reply.headers });
  if (reply.bytes) return new Response(reply.bytes as Uint8Array<ArrayBuffer>, { status, headers });
  if (reply.jsonPieces) {
    headers.set('content-type', jsonType);
    return new Response(toStream(reply.jsonPieces), { status, headers });
  }
  const text = jsonText(reply.json);
  if (text === undefined) return new Response(reply.text ?? null, { status, headers });
  headers.set('content-type', jsonType);
  return new Response(text, { status, headers });
}

function jsonText(json: unknown): string | undefined {
  return json === undefined ? undefined : stringifyJson(json);
}

/** Takes the next piece only after the previous piece was read, so that a slow reader does not fill the memory. */
function toStream(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel() {
      iterator.return?.();
    },
  });
}

/** Validates JSON against the contract and returns the reply, with its pieces buffered. @throws {ContractViolation} */
export function checkReply(id: OperationId, operation: Operation, reply: ReadyReply): ReadyReply {
  if (reply.bytes || reply.status >= 300) return reply;
  if (reply.status === 207 && reply.text !== undefined) {
    checkBatch(id, operation, reply, reply.text);
    return reply;
  }
  const text = reply.jsonPieces ? [...reply.jsonPieces].join('') : jsonText(reply.json);
  if (text === undefined) return reply;
  check(id, operation.reply, parseJson(text));
  return reply.jsonPieces ? { ...reply, jsonPieces: [text] } : reply;
}

/** Validates a reply for several IDs, in either format, and every record in it. */
function checkBatch(id: OperationId, operation: Operation, { headers }: ReadyReply, text: string): void {
  const contentType = headers['content-type'] ?? '';
  const isDone = (status: number): boolean => status < 300 && operation.reply !== undefined;
  if (!contentType.startsWith('multipart/')) {
    const items = check(id, BatchReply, parseJson(text)) as z.infer<typeof BatchReply>;
    for (const { status, body } of items) if (isDone(status)) check(id, operation.reply, body);
    return;
  }
  const parts = parseMultipart(contentType, Buffer.from(text), 1 + idsPerBody);
  const [head, ...bodies] = parts.map(({ content }) => parseJson(Buffer.from(content).toString()));
  const { response } = check(id, BatchHead, head) as z.infer<typeof BatchHead>;
  for (const [index, { status }] of response.entries()) {
    if (isDone(status)) check(id, operation.reply, bodies[index]);
  }
}

/** @throws {ContractViolation} */
function check(id: OperationId, schema: z.ZodType | undefined, value: unknown): unknown {
  const result = schema?.safeParse(value);
  if (result?.success) return result.data;
  const why = result ? result.error.message : 'the contract does not define this reply';
  throw new ContractViolation(`the reply of ${id} violates the contract: ${why}`);
}
