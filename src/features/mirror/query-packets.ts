import { deserialize, serialize } from 'node:v8';
import type { DatabaseProblem } from '../../platform/database-error.ts';

/** The statement that a query process runs. */
export interface QueryRequest {
  readonly file: string;
  readonly statement: string;
}

/** A packet of a query process. The last packet is `end` or `error`. */
export type QueryPacket =
  | { readonly kind: 'columns'; readonly columns: readonly string[] }
  | { readonly kind: 'rows'; readonly rows: readonly Readonly<Record<string, unknown>>[] }
  | { readonly kind: 'end' }
  | QueryFailure;

export interface QueryFailure {
  readonly kind: 'error';
  readonly message: string;
  /** The code of the error, if it is an error of SQLite. */
  readonly code: string | undefined;
  /** Present if the error concerns the file, not the statement. */
  readonly problem: DatabaseProblem | undefined;
}

/** Bytes of the length before the content of a packet. */
export const lengthBytes = 4;

/** Returns a packet as bytes: the length of its content, and its content. */
export function packetOf(content: QueryRequest | QueryPacket): Uint8Array {
  const bytes = serialize(content);
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Returns the size of the packet that the bytes begin with; if its length is incomplete, the size of the length. */
export function bytesOfPacket(bytes: Buffer): number {
  return bytes.length < lengthBytes ? lengthBytes : lengthBytes + bytes.readUInt32LE();
}

/** Returns the content of a complete packet. */
export function contentOf(packet: Uint8Array): unknown {
  return deserialize(packet.subarray(lengthBytes));
}

/** Yields the packets of a stream. An incomplete packet at its end is omitted. */
export async function* packetsIn(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<QueryPacket, void, undefined> {
  let pieces: Buffer[] = [];
  let size = 0;
  let needed = lengthBytes;
  for await (const piece of source) {
    pieces.push(piece);
    size += piece.length;
    if (size < needed) continue;
    let rest = Buffer.concat(pieces);
    for (needed = bytesOfPacket(rest); rest.length >= needed; needed = bytesOfPacket(rest)) {
      yield contentOf(rest.subarray(0, needed)) as QueryPacket;
      rest = rest.subarray(needed);
    }
    pieces = [rest];
    size = rest.length;
  }
}
