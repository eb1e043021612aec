/** Signals that end the tool, with their exit codes. */
const signalExits: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** Why the run was aborted: the reason of `System.signal`. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly signal: 'SIGHUP' | 'SIGINT' | 'SIGTERM';

  constructor(signal: 'SIGHUP' | 'SIGINT' | 'SIGTERM') {
    super(signal === 'SIGINT' ? 'interrupted' : `ended by ${signal}`);
    this.signal = signal;
  }
}

/** The exit code of a run that a signal or Ctrl-C in a prompt ended; undefined when `error` is something else. */
export function interruptExit(error: unknown, signal: AbortSignal): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'ExitPromptError') return signalExits['SIGINT'];
  if (error instanceof Interrupted) return signalExits[error.signal];
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  const endedBySignal = error === reason || ['AbortError', 'AbortPromptError'].includes(error.name);
  if (reason === undefined || !endedBySignal) return undefined;
  return reason instanceof Interrupted ? signalExits[reason.signal] : signalExits['SIGINT'];
}
