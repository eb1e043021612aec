import { audit } from './answers/audit.ts';
import { calls } from './answers/calls.ts';
import { directory } from './answers/directory.ts';
import { events } from './answers/events.ts';
import { hours } from './answers/hours.ts';
import { messageReports } from './answers/message-reports.ts';
import { messages } from './answers/messages.ts';
import { presences } from './answers/presences.ts';
import { signIn } from './answers/sign-in.ts';
import { smsBatches } from './answers/sms-batches.ts';
import type { Answer } from './content.ts';
import type { OperationName } from './operations.ts';

/** The answers of each operation in the absence of errors. */
export const answers: Readonly<Record<OperationName, Answer>> = {
  ...signIn,
  ...directory,
  ...presences,
  ...messages,
  ...calls,
  ...events,
  ...audit,
  ...hours,
  ...smsBatches,
  ...messageReports,
};
