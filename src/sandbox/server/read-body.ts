import { Interrupted } from '../control/interrupted.ts';
import { ServiceError } from '../request/errors.ts';

/**
 * Reads a request's body.
 * @throws {ServiceError} 413 if the body is longer than `limit` bytes.
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  try {
    return await read(request, limit);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    // The client disconnected before the end of the body.
    throw new Interrupted();
  }
}

async function read(request: Request, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length');
  if (announced !== null && Number(announced) > limit) throw tooLarge();
  if (announced !== null) return new Uint8Array(await request.arrayBuffer());
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): ServiceError {
  return new ServiceError(413, 'CMN-104', 'The request body is too large');
}
