import type { DialectName } from './dialects.ts';
import { answeringRules } from './operations/answering-rules.ts';
import { audit } from './operations/audit.ts';
import { callLog } from './operations/call-log.ts';
import { chatWebhooks } from './operations/chat.ts';
import { dictionary } from './operations/dictionary.ts';
import { extensions } from './operations/extensions.ts';
import { hours } from './operations/hours.ts';
import { media } from './operations/media.ts';
import { messageReports } from './operations/message-reports.ts';
import { mailbox, messages } from './operations/messages.ts';
import type { Operation } from './operations/operation.ts';
import { phoneNumbers } from './operations/phone-numbers.ts';
import { presence } from './operations/presence.ts';
import { queues } from './operations/queues.ts';
import { ringOut } from './operations/ringout.ts';
import { signIn } from './operations/sign-in.ts';
import { smsBatches } from './operations/sms-batches.ts';
import { subscriptions } from './operations/subscriptions.ts';

export type { Operation } from './operations/operation.ts';

/**
 * Every operation that the sandbox serves and the client calls. A test compares both with this table. Generated
 * documents list the operations in this order.
 */
export const operations = {
  ...extensions,
  ...queues,
  ...presence,
  ...phoneNumbers,
  ...messages,
  ...subscriptions,
  ...ringOut,
  ...mailbox,
  ...callLog,
  ...media,
  ...chatWebhooks,
  ...dictionary,
  ...hours,
  ...answeringRules,
  ...audit,
  ...smsBatches,
  ...messageReports,
  ...signIn,
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;

/** Returns the operations of a dialect, each with the paths and the permission that it has there. */
export function operationsOf(dialect: DialectName): ReadonlyMap<OperationId, Operation> {
  const entries = Object.entries(operations) as readonly (readonly [OperationId, Operation])[];
  return new Map(
    entries
      .filter(([, { dialects: only }]) => only === undefined || only.includes(dialect))
      .map(([id, operation]) => [id, dialect === 'current' ? currentForm(operation) : operation]),
  );
}

function currentForm({ current = {}, ...operation }: Operation): Operation {
  return { ...operation, ...current, aliases: current.path === undefined ? (operation.aliases ?? []) : [] };
}

/** Returns all paths of an operation: its own and the other spellings. */
export function pathsOf({ path, aliases = [] }: Operation): readonly string[] {
  return [path, ...aliases];
}
