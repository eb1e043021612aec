import { emitKeypressEvents } from 'node:readline';
import { Interrupted } from '../errors/interrupted.ts';
import { stopProcess } from '../platform/own-process.ts';

/** The terminal of a question, and the signal that ends the run. */
export interface QuestionStreams {
  readonly input?: NodeJS.ReadStream;
  readonly output?: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

/** The second argument of a question of `@inquirer/prompts`. The question is erased if `clearPromptOnDone` is set when it ends. */
export interface QuestionContext extends QuestionStreams {
  readonly clearPromptOnDone: boolean;
}

/** A key of Node's readline, which other listeners also receive. */
interface Keypress {
  name?: string;
  readonly ctrl?: boolean;
}

/**
 * Asks a question, so that Ctrl-Z stops the program and Esc has the same effect as Ctrl-C. When the shell continues the
 * program, `ask` asks again. Without this, Node's readline stops the program itself and reads no more keys afterwards.
 * @throws what `ask` throws
 * @throws {Interrupted} at Esc
 */
export async function suspendable<T>(
  streams: QuestionStreams,
  ask: (context: QuestionContext) => Promise<T>,
): Promise<T> {
  const { input, signal } = streams;
  if (input) emitKeypressEvents(input);
  for (;;) {
    const suspended = new AbortController();
    const canceled = new AbortController();
    const onKey = (_text: unknown, key?: Keypress): void => {
      if (key?.name === 'escape') canceled.abort(new Interrupted('SIGINT'));
      if (key?.ctrl !== true || key.name !== 'z') return;
      // Readline receives the key after this listener and knows no key of this name.
      key.name = 'suspend';
      suspended.abort();
    };
    input?.on('keypress', onKey);
    try {
      return await ask({
        ...streams,
        signal: AbortSignal.any([signal, suspended.signal, canceled.signal]),
        get clearPromptOnDone() {
          return suspended.signal.aborted;
        },
      });
    } catch (error) {
      if (canceled.signal.aborted) throw canceled.signal.reason;
      if (!suspended.signal.aborted || signal.aborted) throw error;
    } finally {
      input?.off('keypress', onKey);
    }
    await stopProcess();
  }
}
