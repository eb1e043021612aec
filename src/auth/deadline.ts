import { ConnectionError } from '../errors/service.ts';

/** Milliseconds after the deadline during which ucctl still reads a reply that has already arrived. */
const drainMilliseconds = 1000;

export interface Deadline {
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Returns a deadline for a request whose reply must not be lost. When a suspended process resumes, its timers are
 * overdue and the reply may be unread, so the deadline first leaves time to read a reply that has arrived.
 */
export function startDeadline(limitMilliseconds: number, origin: string): Deadline {
  const stop = new AbortController();
  let timer = setTimeout(() => {
    timer = setTimeout(
      () => stop.abort(new ConnectionError('TIMEOUT', 'unknown', origin, undefined)),
      drainMilliseconds,
    );
  }, limitMilliseconds);
  return { signal: stop.signal, end: () => clearTimeout(timer) };
}
