import type { Input, Sink } from '../runtime/streams.ts';
import { Interrupted } from '../errors/interrupted.ts';
import { followContinuation, stopProcess } from '../platform/own-process.ts';
import { escape, isCharacter, splitKeys } from '../platform/terminal-keys.ts';
import type { Questions } from './questions.ts';

interface PlainPromptSettings {
  readonly stdin: Input;
  readonly stderr: Sink;
  readonly signal: AbortSignal;
}

/** Asks each question as one line on stderr and lets the terminal edit the answer: nothing is redrawn or colored. */
export function plainPrompt({ stdin, stderr, signal }: PlainPromptSettings): Questions {
  const ask = async (question: string, isShown = true): Promise<string> => {
    const hidden = isShown ? undefined : stdin.stream;
    // The terminal shows what is pasted until it is in raw mode, which must begin before the question appears.
    hidden?.setRawMode?.(true);
    try {
      await stderr.write(`${question} `);
      return await answerTo(question, isShown);
    } finally {
      hidden?.setRawMode?.(false);
    }
  };
  const answerTo = async (question: string, isShown: boolean): Promise<string> => {
    if (!stdin.stream) throw new Interrupted('SIGINT');
    // After Ctrl-Z and `fg`, the question is above the output of the shell.
    const endFollowing = followContinuation(() => void stderr.write(`${question} `).catch(() => undefined));
    try {
      return await readAnswer(stdin.stream, isShown, signal);
    } catch (error) {
      // The line break lets later output start on a new line.
      await stderr.write('\n');
      throw error;
    } finally {
      endFollowing();
    }
  };
  return {
    async confirm(question) {
      return /^y(es)?$/i.test((await ask(`${question} (y/N)`)).trim());
    },
    async text(question) {
      let answer = '';
      while (answer === '') answer = (await ask(`${question}:`)).trim();
      return answer;
    },
    async secret(question) {
      let answer = '';
      while (answer.trim() === '') {
        answer = await ask(`${question} (not shown):`, false);
        await stderr.write('\n');
      }
      return answer;
    },
    async choose(question, choices) {
      for (const [index, { label }] of choices.entries()) await stderr.write(`${index + 1} ${label}\n`);
      for (;;) {
        const answer = (await ask(`${question} (1-${choices.length}, default: 1)`)).trim();
        const chosen = choices[Number(answer === '' ? '1' : answer) - 1];
        if (chosen) return chosen.value;
      }
    },
  };
}

const enter = /[\r\n]/;
const controlC = '\u0003';
const controlD = '\u0004';
const controlU = '\u0015';
const controlZ = '\u001A';
const backspace = /[\b\u007F]/;

/**
 * Reads one line. A hidden answer is read key by key from a terminal in raw mode and edited here, because the terminal
 * would echo the answer.
 */
function readAnswer(input: NodeJS.ReadStream, isShown: boolean, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let typed: readonly string[] = [];
  return new Promise<string>((resolve, reject) => {
    const end = (settle: () => void): void => {
      input.off('data', read);
      input.off('end', closed);
      signal.removeEventListener('abort', aborted);
      input.pause();
      settle();
    };
    const suspend = async (): Promise<void> => {
      input.setRawMode?.(false);
      await stopProcess();
      input.setRawMode?.(true);
    };
    const closed = (): void => end(() => reject(new Interrupted('SIGINT')));
    const aborted = (): void => end(() => reject(signal.reason as Error));
    const read = (piece: Uint8Array): void => {
      const keys = splitKeys(decoder.decode(piece, { stream: true }));
      for (const [index, key] of keys.entries()) {
        if (key === controlC || key === controlD || (!isShown && key === escape)) return closed();
        if (enter.test(key)) {
          // Keys typed ahead belong to the next question.
          const ahead = keys.slice(index + 1).join('');
          end(() => resolve(typed.join('')));
          if (ahead !== '') input.unshift(Buffer.from(ahead));
          return;
        }
        // While keys are hidden, the terminal itself does not stop the program.
        if (key === controlZ) void suspend();
        else if (key === controlU) typed = [];
        else if (backspace.test(key)) typed = typed.slice(0, -1);
        else if (isShown || isCharacter(key)) typed = [...typed, key];
      }
    };
    if (signal.aborted) return aborted();
    signal.addEventListener('abort', aborted, { once: true });
    input.on('end', closed);
    input.on('data', read);
    input.resume();
  });
}
