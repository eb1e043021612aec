import { GroupCommit } from '../../platform/group-commit.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { Paths } from '../../runtime/context.ts';
import type { Settings } from '../../runtime/settings.ts';
import { OutcomeJournal, type KeyUse, type Outcome, type OutcomeState, type Owner } from './journal.ts';
import type { Listing } from './listing.ts';
import type { Claim, DoubtfulSend, SendJournal } from './send-journal.ts';

/** The journal in the state folder of this machine. Requests of one turn of the event loop share a commit. */
class LocalSendJournal implements SendJournal {
  readonly #journal: OutcomeJournal;
  readonly #now: () => number;
  readonly #commits: GroupCommit;

  constructor(journal: OutcomeJournal, now: () => number) {
    this.#journal = journal;
    this.#now = now;
    this.#commits = new GroupCommit({ transaction: (work) => journal.atOnce(work) });
  }

  claim({ sender, call, dedupeKey, since, admit }: Claim): ReturnType<SendJournal['claim']> {
    const journal = this.#journal;
    return this.#commits.add(() => {
      const now = this.#now();
      const { origin } = sender;
      const { digest } = call;
      const earlier =
        dedupeKey === undefined ? undefined : journal.withKey({ origin, dedupeKey, digest, since }, now);
      if (earlier) return { earlier };
      admit?.(journal.countSince(sender, now - 3_600_000), call.to.split(',').length);
      return { id: journal.begin(sender, call, dedupeKey, now) };
    });
  }

  addUnknown({ sender, call, dedupeKey, startedAt }: DoubtfulSend): Promise<void> {
    const journal = this.#journal;
    return this.#commits.add(() => {
      const id = journal.begin(sender, call, dedupeKey, startedAt);
      journal.end(id, 'unknown', undefined, this.#now());
    });
  }

  async withKey(use: KeyUse): Promise<Outcome | undefined> {
    return this.#journal.withKey(use, this.#now());
  }

  end(id: number, state: OutcomeState, serviceId: string | undefined): Promise<void> {
    return this.#commits.add(() => this.#journal.end(id, state, serviceId, this.#now()));
  }

  async list(owner: Owner, listing?: Listing): Promise<readonly Outcome[]> {
    return this.#journal.list(owner, this.#now(), listing);
  }

  async listAll(origin: string): Promise<readonly Outcome[]> {
    return this.#journal.listAll(origin, this.#now());
  }

  async countSince(owner: Owner, time: number): Promise<number> {
    return this.#journal.countSince(owner, time);
  }

  close(): void {
    this.#journal.close();
  }
}

/** The parts of a run that the journal needs. */
export interface JournalParts {
  readonly settings: Pick<Settings, 'storeUrl'>;
  readonly paths: Pick<Paths, 'state'>;
  now(): number;
  store(): Promise<Postgres>;
}

/**
 * Opens the journal of the store, or of this machine if no store is set.
 * @param purpose `read` opens the journal of this machine even if it cannot be written
 */
export async function openSendJournal(
  parts: JournalParts,
  purpose: 'send' | 'read' = 'send',
): Promise<SendJournal> {
  if (parts.settings.storeUrl?.value === undefined) {
    const { state } = parts.paths;
    const journal = purpose === 'read' ? OutcomeJournal.openToRead(state) : OutcomeJournal.open(state);
    return new LocalSendJournal(journal, () => parts.now());
  }
  const [{ StoreSendJournal }, db] = await Promise.all([import('./store-journal.ts'), parts.store()]);
  return new StoreSendJournal(db, () => parts.now());
}
