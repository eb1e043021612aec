import { GroupCommit } from '../../platform/group-commit.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { Paths } from '../../runtime/context.ts';
import type { Settings } from '../../runtime/settings.ts';
import type { CallDescription } from './describe-call.ts';
import { OutcomeJournal, type Outcome, type OutcomeState, type Owner, type Sender } from './journal.ts';

/** Blocks a request because of the number of requests in the last hour, by throwing. */
export type Admit = (sentLastHour: number, more: number) => void;

/** A request that is about to be sent. */
export interface Claim {
  readonly sender: Sender;
  readonly call: CallDescription;
  readonly dedupeKey: string | undefined;
  readonly admit: Admit | undefined;
}

/** Journal of the requests that must not be sent twice: of this machine, or of all machines that share a store. */
export interface SendJournal {
  /**
   * Records a request before it is sent, unless its key was used in the last 24 hours. The record is durable when the
   * promise resolves.
   * @returns the id of the record, or the earlier request with the key.
   */
  claim(claim: Claim): Promise<{ readonly id: number } | { readonly earlier: Outcome }>;
  end(id: number, state: OutcomeState, serviceId: string | undefined): Promise<void>;
  /** The outcomes of a profile at a service, newest first. */
  list(owner: Owner): Promise<readonly Outcome[]>;
  /** The outcomes of all profiles at a service, newest first. */
  listAll(origin: string): Promise<readonly Outcome[]>;
  /** Number of messages and calls since `time` that were sent or may have been sent, counted by recipient. */
  countSince(owner: Owner, time: number): Promise<number>;
  close(): void;
}

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

  claim({ sender, call, dedupeKey, admit }: Claim): ReturnType<SendJournal['claim']> {
    const journal = this.#journal;
    return this.#commits.add(() => {
      const now = this.#now();
      const earlier = dedupeKey === undefined ? undefined : journal.withKey(sender.origin, dedupeKey, now);
      if (earlier) return { earlier };
      admit?.(journal.countSince(sender, now - 3_600_000), call.to.split(',').length);
      return { id: journal.begin(sender, call, dedupeKey, now) };
    });
  }

  end(id: number, state: OutcomeState, serviceId: string | undefined): Promise<void> {
    return this.#commits.add(() => this.#journal.end(id, state, serviceId, this.#now()));
  }

  async list(owner: Owner): Promise<readonly Outcome[]> {
    return this.#journal.list(owner, this.#now());
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

/** Opens the journal of the store, or of this machine if no store is set. */
export async function openSendJournal(parts: JournalParts): Promise<SendJournal> {
  if (parts.settings.storeUrl?.value === undefined)
    return new LocalSendJournal(OutcomeJournal.open(parts.paths.state), () => parts.now());
  const [{ StoreSendJournal }, db] = await Promise.all([import('./store-journal.ts'), parts.store()]);
  return new StoreSendJournal(db, () => parts.now());
}
