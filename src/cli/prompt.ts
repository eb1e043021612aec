import { safe } from '../platform/terminal-text.ts';
import type { Input, Prompt } from '../runtime/context.ts';
import { CommandError, Exit } from '../runtime/errors.ts';
import type { Sink } from '../runtime/system.ts';

export interface PromptSettings {
  readonly stdin: Input;
  /** Questions go here, never to stdout. */
  readonly stderr: Sink;
  readonly noInput: boolean;
  /** `--yes`, or a dry run that cannot do anything. */
  readonly yes: boolean;
  readonly signal: AbortSignal;
  /** What was said before the question reaches the terminal first. */
  settled(): Promise<void>;
}

/** Questions on a terminal. The library is loaded for the first one. */
export function createPrompt(settings: PromptSettings): Prompt {
  const { stdin, stderr, noInput, yes, signal } = settings;
  // Asked only by commands that ask: looking at stdin opens it.
  const isAvailable = (): boolean => !noInput && stderr.isTerminal && stdin.isTerminal;
  const streams = () => ({
    signal,
    ...(stdin.stream && { input: stdin.stream }),
    ...(stderr.stream && { output: stderr.stream }),
  });
  const needAnswer = (question: string, flag: string): void => {
    if (isAvailable()) return;
    throw new CommandError('input_needed', Exit.refused, `nobody can be asked: ${question}`, {
      hint: `give it with ${flag}`,
    });
  };
  return {
    get available() {
      return isAvailable();
    },
    async confirm(question) {
      if (yes) return true;
      if (!isAvailable()) {
        throw new CommandError('confirmation_needed', Exit.refused, `not confirmed: ${question}`, {
          hint: 'add --yes to do it without being asked',
        });
      }
      await settings.settled();
      const { confirm } = await import('@inquirer/prompts');
      return confirm({ message: safe(question), default: false }, streams());
    },
    async text(question, flag) {
      needAnswer(question, flag);
      await settings.settled();
      const { input } = await import('@inquirer/prompts');
      return input({ message: safe(question), required: true }, streams());
    },
    async secret(question, flag) {
      needAnswer(question, flag);
      await settings.settled();
      const { password } = await import('@inquirer/prompts');
      return password({ message: safe(question) }, streams());
    },
  };
}
