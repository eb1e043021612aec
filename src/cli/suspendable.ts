import { emitKeypressEvents } from 'node:readline';
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
 * Asks a question, so that Ctrl-Z stops the program. When the shell continues the program, `ask` asks again. Without
 * this, Node's readline stops the program itself and reads no more keys afterwards.
 * @throws what `ask` throws
 */
export async function suspendable<T>(
  streams: QuestionStreams,
  ask: (context: QuestionContext) => Promise<T>,
): Promise<T> {
  const { input, signal } = streams;
  if (input) emitKeypressEvents(input);
  for (;;) {
    const suspended = new AbortController();
    const onKey = (_text: unknown, key?: Keypress): void => {
      if (key?.ctrl !== true || key.name !== 'z') return;
      // Readline receives the key after this listener and knows no key of this name.
      key.name = 'suspend';
      suspended.abort();
    };
    input?.on('keypress', onKey);
    try {
      return await ask({
        ...streams,
        signal: AbortSignal.any([signal, suspended.signal]),
        get clearPromptOnDone() {
          return suspended.signal.aborted;
        },
      });
    } catch (error) {
      if (!suspended.signal.aborted || signal.aborted) throw error;
    } finally {
      input?.off('keypress', onKey);
    }
    await stopProcess();
  }
}
