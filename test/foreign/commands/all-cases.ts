import { callCases } from './calls.ts';
import type { CommandCase } from './command-case.ts';
import { liveCases, setupCases } from './live.ts';
import { messageCases } from './messages.ts';
import { phoneCases } from './phones.ts';

/** The cases of every command that takes a reply of the service. */
export const commandCases: Readonly<Record<string, CommandCase>> = {
  ...phoneCases,
  ...messageCases,
  ...callCases,
  ...liveCases,
  ...setupCases,
};
