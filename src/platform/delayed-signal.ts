import { setMaxListeners } from 'node:events';
import type { EitherSignal } from './either-signal.ts';

/**
 * Returns a signal that aborts some time after the given signal, so that a request in progress can finish.
 * @throws the reason of the signal if it has aborted already
 */
export function delayedSignal(signal: AbortSignal, milliseconds: number): EitherSignal {
  signal.throwIfAborted();
  const delayed = new AbortController();
  setMaxListeners(0, delayed.signal);
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    timer = setTimeout(() => delayed.abort(signal.reason), milliseconds);
  };
  signal.addEventListener('abort', start);
  return {
    signal: delayed.signal,
    end: () => {
      signal.removeEventListener('abort', start);
      clearTimeout(timer);
    },
  };
}
