import type { OutcomeRecorder, OutcomeReport } from '../../client/index.ts';
import { GroupCommit } from '../../platform/group-commit.ts';
import type { SentSecrets } from '../../platform/sent-secrets.ts';
import { parseJson } from '../../platform/json.ts';
import { KeyUsedError, messageOf } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { describeCall } from './describe-call.ts';
import type { Outcome, OutcomeJournal, Owner } from './journal.ts';

/** Minimum number of characters of a token. */
const tokenCharacters = 16;

/**
 * Records every request that must not be sent twice. `admit` can block a request because of the number of requests in
 * the last hour. It runs in the same transaction, so that several processes together cannot exceed the limit. Rows of
 * one turn of the event loop share a commit.
 */
export function createRecorder(
  journal: OutcomeJournal,
  owner: Owner,
  now: () => number,
  more: {
    /** The user whose mailbox the message is sent from. */
    readonly whose: () => Promise<string | undefined>;
    readonly admit?: ((sentLastHour: number, more: number) => void) | undefined;
    /** Secrets of the run, which are masked in the stored ids. */
    readonly sentSecrets: SentSecrets;
    /** Reports an outcome that could not be recorded. The request is over then, so its result must not be lost. */
    readonly warn: (text: string) => void;
  },
): OutcomeRecorder {
  const commits = new GroupCommit({ transaction: (work) => journal.atOnce(work) });
  return {
    async before(call, dedupeKey) {
      const description = describeCall(call);
      if (!description) return () => Promise.resolve();
      const who = await more.whose();
      const id = await commits.add(() => {
        const earlier = dedupeKey === undefined ? undefined : journal.withKey(owner.origin, dedupeKey, now());
        if (earlier) throw duplicate(earlier, dedupeKey ?? '');
        if (more.admit && description.kind !== 'chat-post') {
          more.admit(journal.countSince(owner, now() - 3_600_000), description.to.split(',').length);
        }
        return journal.begin({ ...owner, who }, description, dedupeKey, now());
      });
      return async (report) => {
        const given = await maskedId(serviceId(report), more.sentSecrets);
        try {
          await commits.add(() => journal.end(id, report.state, given, now()));
        } catch (error) {
          more.warn(
            `outcome ${id} (${report.state}) was not recorded, so the journal shows it as unknown: ${messageOf(error)}`,
          );
        }
      };
    },
  };
}

function duplicate(earlier: Outcome, key: string): KeyUsedError {
  const when = new Date(earlier.startedAt).toISOString();
  const wasSent = earlier.state === 'sent';
  const hint = wasSent
    ? 'to send again, use another key'
    : nextStep`to find out whether it was sent: ${ucctl(`outcome resolve ${earlier.id}`)}`;
  const text = `not sent: the key "${key}" was used at ${when} (outcome ${earlier.id}, ${earlier.state})`;
  return new KeyUsedError(text, wasSent, { hint });
}

function serviceId({ state, reply }: OutcomeReport): string | undefined {
  if (state !== 'sent' || typeof reply !== 'object' || reply === null || !('text' in reply)) return undefined;
  try {
    const body = parseJson(String(reply.text));
    const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined;
    return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
  } catch {
    return undefined;
  }
}

/** Masks secrets in an id that is as long as a token, because the service may have repeated a token there. */
async function maskedId(id: string | undefined, sent: SentSecrets): Promise<string | undefined> {
  if (id === undefined || id.length < tokenCharacters) return id;
  const { maskSecrets } = await import('../../platform/mask-secrets.ts');
  return maskSecrets(id, sent);
}
