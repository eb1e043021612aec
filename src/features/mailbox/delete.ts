import { classifyError } from '../bulk/error-class.ts';
import type { Client, MessageOutcome } from '../../client/index.ts';
import { notNamed, rejectionOf } from './outcomes.ts';

/** The result of deleting or purging one message. */
export interface DeletedMessage {
  readonly id: string;
  /** `unknown` means that no reply confirms the deletion and that reading back does not show it. */
  readonly status: 'deleted' | 'purged' | 'unchanged' | 'failed' | 'unknown';
  readonly problem: string | undefined;
}

/** The problem of a message that is purged although only its deletion was requested. */
const purgedInstead = 'the message was purged instead of deleted, and cannot be restored';

const all = ['Alive', 'Deleted', 'Purged'] as const;

/**
 * Deletes or purges messages. A second DELETE of a deleted message purges it. Therefore, deleted messages are skipped.
 * After a lost reply, no request is repeated, and the messages are read instead (CLIENT-2).
 */
export async function* deleteMessages(
  api: Pick<Client, 'messages'>,
  ids: readonly string[],
  purge: boolean,
): AsyncGenerator<DeletedMessage, void, undefined> {
  const wanted = purge ? 'Purged' : 'Deleted';
  const due: string[] = [];
  for await (const { availability, outcome } of availabilities(api, ids)) {
    if (availability === undefined)
      yield { id: outcome.id, status: 'failed', problem: unreadProblem(outcome) };
    else if (availability === wanted || availability === 'Purged') {
      yield { id: outcome.id, status: 'unchanged', problem: `already ${availability.toLowerCase()}` };
    } else due.push(outcome.id);
  }
  const done = purge ? 'purged' : 'deleted';
  const answered = new Set<string>();
  try {
    for await (const outcome of api.messages.deleteEach(due, { purge })) {
      if (outcome.status === undefined || stillExists(outcome, wanted)) continue;
      answered.add(outcome.id);
      yield answeredRow(outcome, done);
    }
  } catch (error) {
    if (classifyError(error, due.length) !== 'unknown') throw error;
  }
  const open = due.filter((id) => !answered.has(id));
  if (open.length > 0) yield* readAgain(api, open, wanted, done);
}

function answeredRow(outcome: MessageOutcome, done: 'deleted' | 'purged'): DeletedMessage {
  const { id, status = 0 } = outcome;
  if (status < 300) return goneRow(id, outcome.message?.availability, done);
  return { id, status: 'failed', problem: rejectionOf(outcome) };
}

/** Returns the row of a message that was deleted, or purged although only its deletion was requested. */
function goneRow(id: string, availability: string | undefined, done: 'deleted' | 'purged'): DeletedMessage {
  const isPurged = availability === 'Purged';
  const problem = isPurged && done === 'deleted' ? purgedInstead : undefined;
  return { id, status: isPurged ? 'purged' : done, problem };
}

/**
 * Whether the reply reports success with a record that still exists. The record may be outdated, so the message is read
 * again.
 */
function stillExists({ status = 0, message }: MessageOutcome, wanted: string): boolean {
  const availability = message?.availability ?? wanted;
  return status < 300 && availability !== wanted && availability !== 'Purged';
}

async function* readAgain(
  api: Pick<Client, 'messages'>,
  ids: readonly string[],
  wanted: string,
  done: 'deleted' | 'purged',
): AsyncGenerator<DeletedMessage, void, undefined> {
  const found = new Map<string, string | undefined>();
  try {
    for await (const { outcome, availability } of availabilities(api, ids))
      found.set(outcome.id, availability);
  } catch {
    // Messages that could not be read keep the status `unknown`.
  }
  for (const id of ids) {
    const availability = found.get(id);
    if (availability === undefined)
      yield { id, status: 'unknown', problem: 'no reply confirms the deletion' };
    else if (availability === wanted || availability === 'Purged') yield goneRow(id, availability, done);
    else
      // Reading back does not prove that the deletion failed: the service may still be processing the request.
      yield { id, status: 'unknown', problem: 'no reply confirms the deletion; the message still exists' };
  }
}

/** A message that was read, with its availability; undefined if it is not known. */
interface ReadMessage {
  readonly outcome: MessageOutcome;
  readonly availability: string | undefined;
}

/**
 * Reads messages, also deleted and purged ones. For records without the optional member `availability`, it asks for
 * each availability: the service finds a message only under its own (MESSAGE-30). A service that finds a message under
 * several gives no availability, because a DELETE could purge the message.
 */
async function* availabilities(
  api: Pick<Client, 'messages'>,
  ids: readonly string[],
): AsyncGenerator<ReadMessage, void, undefined> {
  const unclear: MessageOutcome[] = [];
  for await (const outcome of api.messages.getMany(ids, all)) {
    const availability = outcome.message?.availability;
    if (outcome.message && availability === undefined) unclear.push(outcome);
    else yield { outcome, availability };
  }
  if (unclear.length === 0) return;
  const found = new Map<string, string[]>();
  for (const one of all) {
    const asked = unclear.map(({ id }) => id);
    for await (const { id, message } of api.messages.getMany(asked, [one]))
      if (message) found.set(id, [...(found.get(id) ?? []), one]);
  }
  for (const outcome of unclear) {
    const [availability, second] = found.get(outcome.id) ?? [];
    yield { outcome, availability: second === undefined ? availability : undefined };
  }
}

/**
 * Returns the problem of a message that could not be read. No DELETE was sent for this message, because a DELETE might
 * purge the message.
 */
function unreadProblem(outcome: MessageOutcome): string {
  if (outcome.message)
    return 'the service does not report whether the message is already deleted; ucctl sent no request for this message';
  return outcome.status === undefined
    ? `${notNamed}; ucctl sent no request for this message`
    : rejectionOf(outcome);
}
