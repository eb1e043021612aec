import type { OutcomeRecorder, OutcomeReport } from '../../client/index.ts';
import { GroupCommit } from '../../platform/group-commit.ts';
import { parseJson } from '../../platform/json.ts';
import { KeyUsedError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { describeCall } from './describe-call.ts';
import type { Outcome, OutcomeJournal, Owner } from './journal.ts';

/** Shorter texts are no tokens. */
const tokenCharacters = 16;

/**
 * Records every call that must not be done twice; `admit` may refuse one by how many went out in the last hour, in the same transaction, so that
 * processes side by side cannot pass a limit together. Rows of one turn of the event loop share a commit.
 */
export function createRecorder(
  journal: OutcomeJournal,
  owner: Owner,
  now: () => number,
  more: {
    /** Whose mailbox it goes out from. */
    readonly whose: () => Promise<string | undefined>;
    readonly admit?: ((sentLastHour: number, more: number) => void) | undefined;
  },
): OutcomeRecorder {
  const commits = new GroupCommit({ transaction: (work) => journal.atOnce(work) });
  return {
    async before(call, dedupeKey) {
      const description = describeCall(call);
      if (!description) return () => Promise.resolve();
      const who = await more.whose();
      const id = await commits.add(() => {
        const earlier = dedupeKey === undefined ? undefined : journal.keyed(owner.origin, dedupeKey, now());
        if (earlier) throw duplicate(earlier, dedupeKey ?? '');
        if (more.admit && description.kind !== 'chat-post') {
          more.admit(journal.countSince(owner, now() - 3_600_000), description.to.split(',').length);
        }
        return journal.begin({ ...owner, who }, description, dedupeKey, now());
      });
      return async (report) => {
        const given = await maskedId(serviceId(report));
        return commits.add(() => journal.end(id, report.state, given, now()));
      };
    },
  };
}

function duplicate(earlier: Outcome, key: string): KeyUsedError {
  const when = new Date(earlier.startedAt).toISOString();
  const wasSent = earlier.state === 'sent';
  const hint = wasSent
    ? 'use another key to send again'
    : nextStep`find out what became of it: ${ucctl(`outcome resolve ${earlier.id}`)}`;
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

/** An id as long as a token may be one that the server repeats. */
async function maskedId(id: string | undefined): Promise<string | undefined> {
  if (id === undefined || id.length < tokenCharacters) return id;
  const { maskSecrets } = await import('../../platform/mask-secrets.ts');
  return maskSecrets(id);
}
