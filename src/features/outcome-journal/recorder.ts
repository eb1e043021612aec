import type { OutcomeRecorder, OutcomeReport } from '../../client/index.ts';
import type { SentSecrets } from '../../platform/sent-secrets.ts';
import { readDateHeader } from '../../platform/date-header.ts';
import { parseJson } from '../../platform/json.ts';
import { KeyUsedError, messageOf, OutcomeResolvedError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { assignOutcome } from '../../errors/service.ts';
import type { Output } from '../../runtime/output.ts';
import { describeCall } from './describe-call.ts';
import type { Owner } from './journal.ts';
import type { Outcome, OutcomeState } from './outcome.ts';
import { listKeyOf } from './key-uses.ts';
import { OpenSends } from './open-sends.ts';
import type { Admit, SendJournal } from './send-journal.ts';

/** Minimum number of characters of a token. */
const tokenCharacters = 16;

/**
 * Records every request that must not be sent twice. `admit` can block a request because of the number of requests in
 * the last hour. It runs in the same transaction, so that several processes together cannot exceed the limit.
 */
export function createRecorder(
  journal: SendJournal,
  owner: Owner,
  more: {
    /** The user from whose mailbox the message is sent. */
    readonly whose: () => Promise<string | undefined>;
    readonly admit?: Admit | undefined;
    /** Secrets of the run, which are masked in the stored IDs. */
    readonly sentSecrets: SentSecrets;
    /** Reports an outcome that could not be recorded. The request is over then, so its result must not be lost. */
    readonly warn: (text: string) => void;
    /** Reports the outcomes that are unknown because a signal ended the process. */
    readonly warnIfKilled: Output['warnIfKilled'];
  },
): OutcomeRecorder {
  const open = new OpenSends(more.warnIfKilled);
  return {
    async requireUnused(call, dedupeKey, since) {
      const digest = describeCall(call)?.digest ?? '';
      const earlier = await journal.withKey({ origin: owner.origin, dedupeKey, digest, since });
      if (earlier) throw duplicate(earlier, dedupeKey, since);
    },
    async before(call, dedupeKey, since) {
      const description = describeCall(call);
      if (!description) return { confirm: () => Promise.resolve(), settle: () => Promise.resolve() };
      const who = await more.whose();
      const admit = description.kind === 'chat-post' ? undefined : more.admit;
      const sender = { ...owner, who };
      const claimed = await journal.claim({ sender, call: description, dedupeKey, since, admit });
      if ('earlier' in claimed) throw duplicate(claimed.earlier, dedupeKey ?? '', since);
      const { id } = claimed;
      open.add(id);
      let isResolved = false;
      return {
        async confirm() {
          const state = await journal.renew(id);
          isResolved = state !== 'sending';
          if (!isResolved) return;
          open.delete(id);
          throw resolvedMeanwhile(id, state);
        },
        async settle(report) {
          if (isResolved) return;
          if (report.state === 'unknown') assignOutcome(report.error, id);
          const given = await maskedId(serviceId(report), more.sentSecrets);
          const ending = { state: report.state, serviceId: given, serviceTime: serviceTime(report) };
          try {
            await journal.end(id, ending);
          } catch (error) {
            more.warn(
              `could not record outcome ${id} (${report.state}), so the journal shows the outcome as unknown: ${messageOf(error)}`,
            );
          } finally {
            open.delete(id);
          }
        },
      };
    },
  };
}

function duplicate(earlier: Outcome, key: string, since: number | undefined): KeyUsedError {
  const when = new Date(earlier.startedAt).toISOString();
  const wasSent = earlier.state === 'sent';
  const hint = wasSent
    ? 'to send again, use another key'
    : nextStep`to find out whether the request was sent: ${ucctl`outcome resolve ${earlier.id}`}`;
  // The user gave the key of the list, not of its text. Only the texts of a list have `since`.
  const given = since === undefined ? key : (listKeyOf(key) ?? key);
  const text = `nothing was sent: an earlier request used the key "${given}" at ${when} (outcome ${earlier.id}, ${earlier.state})`;
  // A request that was not sent does not use its key.
  const state = earlier.state === 'sent' || earlier.state === 'sending' ? earlier.state : 'unknown';
  return new KeyUsedError(text, { outcome: earlier.id, state, id: earlier.serviceId }, { hint });
}

/** Returns the error for a request that was not sent, because its outcome was resolved while the request waited. */
function resolvedMeanwhile(id: number, state: OutcomeState | undefined): OutcomeResolvedError {
  const change = state === undefined ? 'was deleted' : `was resolved as ${state}`;
  return new OutcomeResolvedError(
    `nothing was sent: outcome ${id} ${change} while the request waited, so another command may have sent it`,
    { hint: nextStep`to list the sends: ${ucctl('outcome list')}` },
  );
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

/** Returns the time of the reply by the clock of the service; undefined if the reply does not state it. */
function serviceTime({ reply }: OutcomeReport): number | undefined {
  const date = typeof reply === 'object' && reply !== null && 'date' in reply ? reply.date : undefined;
  return typeof date === 'string' ? readDateHeader(date) : undefined;
}

/** Masks secrets in an ID that is as long as a token, because the service may have repeated a token there. */
async function maskedId(id: string | undefined, sent: SentSecrets): Promise<string | undefined> {
  if (id === undefined || id.length < tokenCharacters) return id;
  const { maskSecrets } = await import('../../platform/mask-secrets.ts');
  return maskSecrets(id, sent);
}
