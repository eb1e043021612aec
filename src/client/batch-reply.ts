import { parseJson } from '../platform/json.ts';

/** One part of a 207 reply: what became of one id. */
export interface BatchPart<T> {
  /** Address of the thing asked for, as the service names it. */
  readonly href: string;
  readonly status: number;
  /** The record; with another status than 200 the service's error body. */
  readonly body: T;
}

/**
 * Takes a 207 multipart/mixed reply apart: its first part lists what became of each id, then comes one part for each (facts 1.1, L278).
 * @throws {SyntaxError} when it is no such reply.
 */
export function readBatchReply<T>(text: string, contentType: string | undefined): readonly BatchPart<T>[] {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw new SyntaxError('a reply for several ids without a boundary');
  const [head, ...bodies] = text
    .split(`--${boundary}`)
    .slice(1)
    .filter((piece) => !piece.startsWith('--'))
    .map(contentOf);
  const { response } = (head ?? {}) as { readonly response?: readonly { href: string; status: number }[] };
  if (!response || response.length !== bodies.length) throw new SyntaxError('parts are missing in a reply');
  return response.map(({ href, status }, index) => ({ href, status, body: bodies[index] as T }));
}

function contentOf(part: string): unknown {
  const [, content] = /\r?\n\r?\n([\s\S]*)$/.exec(part) ?? [];
  if (content === undefined) throw new SyntaxError('a part without content');
  return parseJson(content);
}
