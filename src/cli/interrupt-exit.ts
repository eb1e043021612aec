import { Interrupted, isForeignAbort, isForeignInterrupt } from '../errors/interrupted.ts';

/** Exit codes of the signals that end the program. */
const signalExits: Readonly<Record<Interrupted['signal'], number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
};

/**
 * Returns the exit code of a run that was ended by a signal or by Ctrl-C in a prompt; undefined for any other error.
 */
export function interruptExit(error: unknown, signal: AbortSignal): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if (isForeignInterrupt(error)) return signalExits.SIGINT;
  if (error instanceof Interrupted) return signalExits[error.signal];
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  if (reason === undefined || (error !== reason && !isForeignAbort(error))) return undefined;
  return reason instanceof Interrupted ? signalExits[reason.signal] : signalExits.SIGINT;
}
