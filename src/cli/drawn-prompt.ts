import { confirm, input, password, select } from '@inquirer/prompts';
import type { Questions } from './questions.ts';
import { suspendable, type QuestionStreams } from './suspendable.ts';

const isGiven = (answer: string): boolean | string => answer.trim() !== '' || 'You must provide a value';

/** Asks questions that are redrawn at each key. Every question continues after Ctrl-Z and `fg`; the typed text is lost. */
export function drawnPrompt(streams: QuestionStreams): Questions {
  return {
    confirm: (message) => suspendable(streams, (context) => confirm({ message, default: false }, context)),
    text: async (message) => {
      const answer = await suspendable(streams, (context) => input({ message, validate: isGiven }, context));
      // A pasted text often has spaces at its ends.
      return answer.trim();
    },
    secret: (message) => suspendable(streams, (context) => password({ message, validate: isGiven }, context)),
    choose: (message, choices) => {
      const shown = choices.map(({ value, label }) => ({ value, name: label }));
      return suspendable(streams, (context) => select({ message, choices: shown }, context));
    },
  };
}
