/** The error for a run that was ended by a signal, or by Ctrl-C in a prompt. It is the reason of `System.signal`. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly signal: 'SIGHUP' | 'SIGINT' | 'SIGTERM';

  constructor(signal: 'SIGHUP' | 'SIGINT' | 'SIGTERM') {
    super(signal === 'SIGINT' ? 'interrupted' : `ended by ${signal}`);
    this.signal = signal;
  }
}

/** Names of the errors of Node and the prompt library for an aborted signal. Their classes are internal, or not loaded yet. */
const foreignAborts: ReadonlySet<string> = new Set(['AbortError', 'AbortPromptError']);

/** Name of the prompt library's error for Ctrl-C in a prompt. */
const foreignInterrupts: ReadonlySet<string> = new Set(['ExitPromptError']);

/** Returns whether Node or a library stopped because the signal was aborted. */
export function isForeignAbort(error: unknown): boolean {
  return error instanceof Error && foreignAborts.has(error.name);
}

/** Returns whether the prompt library reports Ctrl-C. */
export function isForeignInterrupt(error: unknown): boolean {
  return error instanceof Error && foreignInterrupts.has(error.name);
}

/** Returns whether an error is the end of work whose signal was aborted. */
export function isInterrupt(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && (error === signal.reason || isForeignAbort(error));
}
