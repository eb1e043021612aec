import { confirm, input, password } from '@inquirer/prompts';
import { suspendable, type QuestionStreams } from './suspendable.ts';

interface DrawnPrompt {
  confirm(message: string): Promise<boolean>;
  text(message: string): Promise<string>;
  secret(message: string): Promise<string>;
}

/** Asks questions that are redrawn at each key. Every question continues after Ctrl-Z and `fg`; the typed text is lost. */
export function drawnPrompt(streams: QuestionStreams): DrawnPrompt {
  return {
    confirm: (message) => suspendable(streams, (context) => confirm({ message, default: false }, context)),
    text: (message) => suspendable(streams, (context) => input({ message, required: true }, context)),
    secret: (message) => suspendable(streams, (context) => password({ message }, context)),
  };
}
