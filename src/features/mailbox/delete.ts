import { judge } from '../bulk/judge.ts';
import type { Client, MessageOutcome } from '../../client/index.ts';
import { notNamed, rejectionOf } from './outcomes.ts';

/** What became of one message that was to go. */
export interface DeletedMessage {
  readonly id: string;
  /** `unknown`: no answer told, and it could not be looked at. */
  readonly result: 'deleted' | 'purged' | 'unchanged' | 'failed' | 'unknown';
  readonly reason: string | undefined;
}

const all = ['Alive', 'Deleted', 'Purged'] as const;

/**
 * Deletes or purges. A second DELETE of a deleted message purges it, so deleted messages are skipped, and after a lost reply
 * nothing is sent again: the messages are read instead (CLIENT-2).
 */
export async function* deleteMessages(
  api: Pick<Client, 'messages'>,
  ids: readonly string[],
  purge: boolean,
): AsyncGenerator<DeletedMessage, void, undefined> {
  const wanted = purge ? 'Purged' : 'Deleted';
  const due: string[] = [];
  for await (const outcome of api.messages.getMany(ids, all)) {
    const availability = outcome.message?.availability;
    if (availability === undefined) yield { id: outcome.id, result: 'failed', reason: unreadReason(outcome) };
    else if (availability === wanted || availability === 'Purged') {
      yield { id: outcome.id, result: 'unchanged', reason: `it is ${availability} already` };
    } else due.push(outcome.id);
  }
  const done = purge ? 'purged' : 'deleted';
  const answered = new Set<string>();
  try {
    for await (const outcome of api.messages.delete(due, { purge })) {
      if (outcome.status === undefined || isLeft(outcome, wanted)) continue;
      answered.add(outcome.id);
      yield answeredRow(outcome, done);
    }
  } catch (error) {
    if (judge(error, due.length) !== 'unknown') throw error;
  }
  const open = due.filter((id) => !answered.has(id));
  if (open.length > 0) yield* lookAgain(api, open, wanted, done);
}

function answeredRow(outcome: MessageOutcome, done: 'deleted' | 'purged'): DeletedMessage {
  const { id, status = 0 } = outcome;
  if (status < 300) return { id, result: done, reason: undefined };
  return { id, result: 'failed', reason: rejectionOf(outcome) };
}

/** Whether the reply says both that the message was removed and that it is there. Its record may be from before: the message is read again. */
function isLeft({ status = 0, message }: MessageOutcome, wanted: string): boolean {
  const availability = message?.availability ?? wanted;
  return status < 300 && availability !== wanted && availability !== 'Purged';
}

async function* lookAgain(
  api: Pick<Client, 'messages'>,
  ids: readonly string[],
  wanted: string,
  done: 'deleted' | 'purged',
): AsyncGenerator<DeletedMessage, void, undefined> {
  const found = new Map<string, MessageOutcome>();
  try {
    for await (const outcome of api.messages.getMany(ids, all)) found.set(outcome.id, outcome);
  } catch {
    // What could not be looked at stays unknown.
  }
  for (const id of ids) {
    const availability = found.get(id)?.message?.availability;
    if (availability === undefined) yield { id, result: 'unknown', reason: 'no answer told' };
    else if (availability === wanted || availability === 'Purged')
      yield { id, result: done, reason: undefined };
    else yield { id, result: 'failed', reason: 'no answer told, and it is still there' };
  }
}

/** The message could not be read, so no DELETE was sent for it: that might purge it. */
function unreadReason(outcome: MessageOutcome): string {
  return outcome.status === undefined ? `${notNamed}; nothing was sent` : rejectionOf(outcome);
}
