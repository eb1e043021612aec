import { Interrupted } from './control/interrupted.ts';
import { ServiceError } from './errors.ts';

/**
 * Reads a request's body as UTF-8.
 * @throws {ServiceError} 413 when it is longer than `limit` bytes.
 */
export async function readBody(request: Request, limit: number): Promise<string> {
  try {
    return await read(request, limit);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    // The client went away in the middle: nobody is left to be told.
    throw new Interrupted();
  }
}

async function read(request: Request, limit: number): Promise<string> {
  const announced = request.headers.get('content-length');
  if (announced !== null && Number(announced) > limit) throw tooLarge();
  if (announced !== null) return request.text();
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(): ServiceError {
  return new ServiceError(413, 'CMN-104', 'The request body is too large');
}
