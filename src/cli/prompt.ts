import { safe } from '../platform/terminal-text.ts';
import type { Input, Prompt } from '../runtime/context.ts';
import { CommandError, Exit } from '../errors/command.ts';
import type { Sink } from '../runtime/system.ts';

export interface PromptSettings {
  readonly stdin: Input;
  /** Questions go here, never to stdout. */
  readonly stderr: Sink;
  readonly noInput: boolean;
  /** `--yes`, or a dry run that cannot do anything. */
  readonly yes: boolean;
  readonly signal: AbortSignal;
  /** Questions as lines that are never drawn again: for screen readers, and terminals that cannot. */
  readonly plain: boolean;
  /** What was said before the question reaches the terminal first. */
  settled(): Promise<void>;
}

/** Questions on a terminal. What asks them is loaded for the first one. */
export function createPrompt(settings: PromptSettings): Prompt {
  const { stdin, stderr, noInput, yes, signal, plain } = settings;
  // Asked only by commands that ask: looking at stdin opens it.
  const isAvailable = (): boolean => !noInput && stderr.isTerminal && stdin.isTerminal;
  const streams = () => ({
    signal,
    ...(stdin.stream && { input: stdin.stream }),
    ...(stderr.stream && { output: stderr.stream }),
  });
  const inLines = async () => (await import('./plain-prompt.ts')).plainPrompt({ stdin, stderr, signal });
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
      if (plain) return (await inLines()).confirm(safe(question));
      const { confirm } = await import('@inquirer/prompts');
      return confirm({ message: safe(question), default: false }, streams());
    },
    async text(question, flag) {
      needAnswer(question, flag);
      await settings.settled();
      if (plain) return (await inLines()).text(safe(question));
      const { input } = await import('@inquirer/prompts');
      return input({ message: safe(question), required: true }, streams());
    },
    async secret(question, flag) {
      needAnswer(question, flag);
      await settings.settled();
      if (plain) return (await inLines()).secret(safe(question));
      const { password } = await import('@inquirer/prompts');
      return password({ message: safe(question) }, streams());
    },
  };
}
