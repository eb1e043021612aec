import { safe } from '../platform/terminal-text.ts';
import type { Prompt } from '../runtime/context.ts';
import type { Input, Sink } from '../runtime/streams.ts';
import { CommandError, Exit } from '../errors/command.ts';
import type { Questions } from './questions.ts';
import type { QuestionStreams } from './suspendable.ts';

export interface PromptSettings {
  readonly stdin: Input;
  /** Receives the questions, which never go to stdout. */
  readonly stderr: Sink;
  readonly noInput: boolean;
  /** Whether every confirmation is answered with yes: `--yes`, or a dry run, which changes nothing. */
  readonly yes: boolean;
  readonly signal: AbortSignal;
  /** Questions are plain lines that are never redrawn: for screen readers, and for terminals without cursor control. */
  readonly plain: boolean;
  /** Resolves when earlier messages are on the terminal. */
  settled(): Promise<void>;
}

/** Columns for the sign before a question, and for a short answer after the question. */
const widthOfAnswer = 10;

/** Creates the prompt that asks questions on a terminal. The prompt library is loaded at the first question. */
export function createPrompt(settings: PromptSettings): Prompt {
  const { stdin, stderr, noInput, yes, signal, plain } = settings;
  // Evaluated only when a question is asked: reading `isTerminal` opens stdin.
  const isAvailable = (): boolean => !noInput && stderr.isTerminal && stdin.isTerminal;
  const inLines = async () => (await import('./plain-prompt.ts')).plainPrompt({ stdin, stderr, signal });
  const drawn = async () => (await import('./drawn-prompt.ts')).drawnPrompt(streamsOf(settings));
  // A `y` that was typed while the command prepared a change would otherwise confirm a change that nobody has seen. Enter
  // would choose the first entry of a list.
  const discardTyped = async () => (await import('./discard-typed.ts')).discardTyped(stdin.stream);
  const ask = async <T>(
    question: string,
    put: (prompts: Questions, text: string) => Promise<T>,
  ): Promise<T> => {
    await settings.settled();
    return plain
      ? put(await inLines(), safe(question))
      : put(await drawn(), await wrapped(safe(question), stderr.stream?.columns));
  };
  const needAnswer = (question: string, flag: string): void => {
    if (isAvailable()) return;
    const hint = `use ${flag}`;
    throw new CommandError('input_needed', Exit.blocked, `input needed: ${question}`, { hint });
  };
  return {
    get available() {
      return isAvailable();
    },
    async confirm(question) {
      if (yes) return true;
      if (!isAvailable()) {
        const hint = 'use --yes to confirm without a prompt';
        throw new CommandError('confirmation_needed', Exit.blocked, `not confirmed: ${question}`, { hint });
      }
      await settings.settled();
      await discardTyped();
      return ask(question, (prompts, text) => prompts.confirm(text));
    },
    async text(question, flag) {
      needAnswer(question, flag);
      return ask(question, (prompts, text) => prompts.text(text));
    },
    async secret(question, flag) {
      needAnswer(question, flag);
      return ask(question, (prompts, text) => prompts.secret(text));
    },
    async choose(question, choices, flag) {
      needAnswer(question, flag);
      return ask(question, (prompts, text) => prompts.choose(text, choices));
    },
    async search(question, choices, refresh) {
      needAnswer(question, 'the argument');
      await settings.settled();
      await discardTyped();
      const { searchPrompt } = await import('./search-prompt.ts');
      return searchPrompt(question, { choices, refresh }, streamsOf(settings));
    },
  };
}

function streamsOf({ stdin, stderr, signal }: PromptSettings): QuestionStreams {
  return {
    signal,
    ...(stdin.stream && { input: stdin.stream }),
    ...(stderr.stream && { output: stderr.stream }),
  };
}

/** Wraps a long question, because the library would break it within a word. */
async function wrapped(question: string, columns = 80): Promise<string> {
  const { fold } = await import('../platform/text-width.ts');
  const room = columns - widthOfAnswer;
  return room < widthOfAnswer ? question : fold(question, room).join('\n');
}
