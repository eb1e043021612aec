import { confirm, input, password, select } from '@inquirer/prompts';
import type { Choice } from '../runtime/context.ts';
import { suspendable, type QuestionStreams } from './suspendable.ts';

interface DrawnPrompt {
  confirm(message: string): Promise<boolean>;
  text(message: string): Promise<string>;
  secret(message: string): Promise<string>;
  choose<V extends string>(message: string, choices: readonly Choice<V>[]): Promise<V>;
}

/** Asks questions that are redrawn at each key. Every question continues after Ctrl-Z and `fg`; the typed text is lost. */
export function drawnPrompt(streams: QuestionStreams): DrawnPrompt {
  return {
    confirm: (message) => suspendable(streams, (context) => confirm({ message, default: false }, context)),
    text: (message) => suspendable(streams, (context) => input({ message, required: true }, context)),
    secret: (message) => suspendable(streams, (context) => password({ message }, context)),
    choose: (message, choices) => {
      const shown = choices.map(({ value, label }) => ({ value, name: label }));
      return suspendable(streams, (context) => select({ message, choices: shown }, context));
    },
  };
}
