import { Interrupted, isForeignAbort, isForeignInterrupt } from '../errors/interrupted.ts';

/** Signals that end the tool, with their exit codes. */
const signalExits: Readonly<Record<Interrupted['signal'], number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
};

/** The exit code of a run that a signal or Ctrl-C in a prompt ended; undefined when `error` is something else. */
export function interruptExit(error: unknown, signal: AbortSignal): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if (isForeignInterrupt(error)) return signalExits.SIGINT;
  if (error instanceof Interrupted) return signalExits[error.signal];
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  if (reason === undefined || (error !== reason && !isForeignAbort(error))) return undefined;
  return reason instanceof Interrupted ? signalExits[reason.signal] : signalExits.SIGINT;
}
