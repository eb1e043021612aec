import { ConnectionError } from '../errors/service.ts';

/** Time in which a reply that is here already is read, after the limit has passed. */
const lastLookMilliseconds = 1000;

export interface Patience {
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * A time limit for a request whose reply must not be missed. A process that was suspended wakes with its timers overdue and the reply unread: the limit
 * first lets what has arrived be read, and only then ends the wait.
 */
export function patience(limitMilliseconds: number, origin: string): Patience {
  const stop = new AbortController();
  let timer = setTimeout(() => {
    timer = setTimeout(
      () => stop.abort(new ConnectionError('TIMEOUT', 'unknown', origin, undefined)),
      lastLookMilliseconds,
    );
  }, limitMilliseconds);
  return { signal: stop.signal, end: () => clearTimeout(timer) };
}
