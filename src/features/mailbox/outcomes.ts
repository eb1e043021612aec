import type { MessageOutcome } from '../../client/index.ts';
import type { Message } from '../../contract/message.ts';
import { counted, wasOrWere } from '../../platform/counted.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import type { Context } from '../../runtime/context.ts';
import type { ChangedMessage } from './changed.rows.ts';

/**
 * The reason why the outcome of an ID is unknown: the reply for several IDs did not contain the ID, or could not be
 * read.
 */
export const notNamed = 'the reply does not contain this message';
const notFound = 'message not found';

/**
 * The reason why a change counts as failed although the service accepted it: the record in the reply does not have the
 * requested values.
 */
const notInEffect = 'The service accepted the change, but it did not take effect.';

/** The members of a message that a request changes. */
export type MessageChange = Partial<Pick<Message, 'readStatus' | 'availability'>>;

/**
 * Returns the row of an outcome; `done` is its status on success. If the reply has a record, it is compared with the
 * change.
 */
export function toChanged(
  outcome: MessageOutcome,
  change: MessageChange,
  done: ChangedMessage['status'],
): ChangedMessage {
  const { id, status, message } = outcome;
  if (status === undefined) return { id, status: 'unknown', problem: notNamed };
  if (status < 300 && message && contradicts(message, change))
    return { id, status: 'failed', problem: notInEffect };
  if (status < 300) return { id, status: done, problem: undefined };
  return { id, status: 'failed', problem: rejectionOf(outcome) };
}

function contradicts(message: Message, { readStatus, availability }: MessageChange): boolean {
  return (
    (readStatus !== undefined && (message.readStatus ?? readStatus) !== readStatus) ||
    (availability !== undefined && (message.availability ?? availability) !== availability)
  );
}

/** Returns the reason for a failed outcome, as text for people. */
export function rejectionOf({ status, reason }: MessageOutcome): string {
  if (status === undefined) return notNamed;
  return status === 404 ? notFound : (reason ?? `HTTP ${status}`);
}

/** Warns about messages that were purged although only their deletion was requested: their rows have a problem. */
export function warnOfPurged({ out }: Pick<Context, 'out'>, rows: readonly ChangedMessage[]): void {
  const { length } = rows.filter(({ status, problem }) => status === 'purged' && problem !== undefined);
  if (length > 0)
    out.warn(
      `${counted(length, 'message')} ${wasOrWere(length)} purged instead of deleted, and cannot be restored`,
    );
}

/** Returns the error if some changes were not made; undefined if all changes were made. */
export function deletedError(rows: readonly ChangedMessage[]): CommandError | undefined {
  const unknown = rows.filter(({ status }) => status === 'unknown');
  if (unknown.length > 0) {
    return new CommandError(
      'outcome_unknown',
      Exit.outcomeUnknown,
      `the outcome of ${unknown.length} of ${counted(rows.length, 'message')} is unknown`,
      {
        hint: nextStep`check the messages before retrying: ${ucctl('message show ID --availability Alive --availability Deleted')}`,
      },
    );
  }
  const failed = rows.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return undefined;
  const missing = failed.every(({ problem }) => problem === notFound);
  if (failed.length === rows.length) {
    return new CommandError(
      missing ? 'not_found' : 'failed',
      missing ? Exit.notFound : Exit.failed,
      `${failed.length === 1 ? 'the message was not' : 'none of the messages was'} changed: ${failed[0]?.problem ?? ''}`,
      {
        hint: missing
          ? nextStep`list deleted messages: ${ucctl('message list --availability Deleted')}`
          : undefined,
      },
    );
  }
  return new CommandError(
    'partial',
    Exit.partial,
    `${failed.length} of ${counted(rows.length, 'message')} ${wasOrWere(failed.length)} not changed`,
    { hint: 'see the problem in the rows with status failed' },
  );
}
