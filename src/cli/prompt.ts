import { safe } from '../platform/terminal-text.ts';
import type { Prompt } from '../runtime/context.ts';
import type { Input, Sink } from '../runtime/streams.ts';
import { CommandError, Exit } from '../errors/command.ts';

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
  const streams = () => ({
    signal,
    ...(stdin.stream && { input: stdin.stream }),
    ...(stderr.stream && { output: stderr.stream }),
  });
  // Long questions are wrapped here, because the library would break them within a word.
  const asked = async (question: string): Promise<string> => {
    const { fold } = await import('../platform/text-width.ts');
    const room = (stderr.stream?.columns ?? 80) - widthOfAnswer;
    return room < widthOfAnswer ? safe(question) : fold(safe(question), room).join('\n');
  };
  const inLines = async () => (await import('./plain-prompt.ts')).plainPrompt({ stdin, stderr, signal });
  const drawn = async () => (await import('./drawn-prompt.ts')).drawnPrompt(streams());
  // A `y` that was typed while the command prepared a change would otherwise confirm a change that nobody has seen. Enter
  // would choose the first entry of a list.
  const discardTyped = async () => (await import('./discard-typed.ts')).discardTyped(stdin.stream);
  const needAnswer = (question: string, flag: string): void => {
    if (isAvailable()) return;
    throw new CommandError('input_needed', Exit.blocked, `input needed: ${question}`, {
      hint: `use ${flag}`,
    });
  };
  return {
    get available() {
      return isAvailable();
    },
    async confirm(question) {
      if (yes) return true;
      if (!isAvailable()) {
        throw new CommandError('confirmation_needed', Exit.blocked, `not confirmed: ${question}`, {
          hint: 'use --yes to confirm without a prompt',
        });
      }
      await settings.settled();
      await discardTyped();
      if (plain) return (await inLines()).confirm(safe(question));
      return (await drawn()).confirm(await asked(question));
    },
    async text(question, flag) {
      needAnswer(question, flag);
      await settings.settled();
      if (plain) return (await inLines()).text(safe(question));
      return (await drawn()).text(await asked(question));
    },
    async secret(question, flag) {
      needAnswer(question, flag);
      await settings.settled();
      if (plain) return (await inLines()).secret(safe(question));
      return (await drawn()).secret(await asked(question));
    },
    async choose(question, choices, flag) {
      needAnswer(question, flag);
      await settings.settled();
      if (plain) return (await inLines()).choose(safe(question), choices);
      return (await drawn()).choose(await asked(question), choices);
    },
    async search(question, choices, refresh) {
      needAnswer(question, 'the argument');
      await settings.settled();
      await discardTyped();
      const { searchPrompt } = await import('./search-prompt.ts');
      return searchPrompt(question, { choices, refresh }, streams());
    },
  };
}
