import { ClientClosedError } from '../errors/client-closed.ts';
import { unlessAborted } from '../platform/aborted.ts';
import { eitherSignal } from '../platform/either-signal.ts';

/** Whether the caller has ended the request: with its signal, or by closing the client. */
export function isEnded(error: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true || error instanceof ClientClosedError;
}

/** @throws the reason of an abort, and ClientClosedError if the client was closed. */
export function throwIfEnded(signal: AbortSignal | undefined, closing: AbortSignal | undefined): void {
  signal?.throwIfAborted();
  if (closing?.aborted) throw new ClientClosedError();
}

/** Returns the result of the work, unless the caller ends the request earlier. The work then continues. */
export async function unlessEnded<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  closing: AbortSignal,
): Promise<T> {
  const ends = eitherSignal(signal, closing);
  try {
    return await unlessAborted(work, ends.signal);
  } catch (error) {
    throwIfEnded(signal, closing);
    throw error;
  } finally {
    ends.end();
  }
}
