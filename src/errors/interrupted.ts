/** The run was ended by a signal, or by Ctrl-C in a question. It is the reason of `System.signal`. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly signal: 'SIGHUP' | 'SIGINT' | 'SIGTERM';

  constructor(signal: 'SIGHUP' | 'SIGINT' | 'SIGTERM') {
    super(signal === 'SIGINT' ? 'interrupted' : `ended by ${signal}`);
    this.signal = signal;
  }
}

/** Errors of Node and of the prompt library for an aborted signal. Their classes are internal, or loaded for the first question only. */
const foreignAborts: ReadonlySet<string> = new Set(['AbortError', 'AbortPromptError']);

/** The prompt library's error for Ctrl-C in a question. */
const foreignInterrupts: ReadonlySet<string> = new Set(['ExitPromptError']);

/** Whether Node or a library ended its work because the signal was aborted. */
export function isForeignAbort(error: unknown): boolean {
  return error instanceof Error && foreignAborts.has(error.name);
}

/** Whether a library reports Ctrl-C in a question. */
export function isForeignInterrupt(error: unknown): boolean {
  return error instanceof Error && foreignInterrupts.has(error.name);
}
