import { setMaxListeners } from 'node:events';

/** A signal that follows others. */
export interface EitherSignal {
  readonly signal: AbortSignal;
  /** Removes the listeners from the other signals. Must be called after the task. */
  readonly end: () => void;
}

/**
 * Returns a signal that aborts when one of the given signals aborts. `AbortSignal.any` is not used for short tasks,
 * because on Node 20, each call leaks memory that the given signals reference.
 */
export function eitherSignal(...given: readonly (AbortSignal | undefined)[]): EitherSignal {
  const signals = given.filter((one) => one !== undefined);
  const either = new AbortController();
  // Each task adds a listener to the same signal, and many tasks may run at the same time.
  setMaxListeners(0, either.signal, ...signals);
  const stop = ({ target }: Event): void => either.abort((target as AbortSignal).reason);
  for (const one of signals) {
    if (one.aborted) either.abort(one.reason);
    one.addEventListener('abort', stop);
  }
  return {
    signal: either.signal,
    end: () => {
      for (const one of signals) one.removeEventListener('abort', stop);
    },
  };
}
