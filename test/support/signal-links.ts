import { getEventListeners } from 'node:events';

/** Returns the number of listeners of a signal, and of signals that `AbortSignal.any` joined to it on Node 20. */
export function linksOf(signal: AbortSignal): number {
  const members = signal as unknown as Readonly<Record<symbol, ReadonlySet<unknown> | undefined>>;
  const symbol = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  );
  const joined = symbol && members[symbol];
  return getEventListeners(signal, 'abort').length + (joined?.size ?? 0);
}
