import { GroupCommit } from '../../platform/group-commit.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { Paths } from '../../runtime/context.ts';
import type { Settings } from '../../runtime/settings.ts';
import { OutcomeJournal, type Ending, type Owner } from './journal.ts';
import type { Outcome, OutcomeState } from './outcome.ts';
import type { KeyUse } from './key-uses.ts';
import type { Listing } from './listing.ts';
import type { Claim, DoubtfulSend, SendJournal } from './send-journal.ts';

/** Returns how far the service's clock is ahead of this machine, in milliseconds; undefined if the service does not send its time. */
export type ReadSkew = () => Promise<number | undefined>;

/** The result of a comparison of the clocks. */
interface Clock {
  readonly skew: number | undefined;
}

/**
 * The journal in the state folder of this machine. Requests of one turn of the event loop share a commit. Before a key
 * that was already used is used again, this machine's clock is compared with the clock of the service.
 */
class LocalSendJournal implements SendJournal {
  readonly #journal: OutcomeJournal;
  readonly #now: () => number;
  readonly #commits: GroupCommit;
  readonly #readSkew: ReadSkew;
  #skew: Promise<number | undefined> | undefined;

  constructor(journal: OutcomeJournal, now: () => number, readSkew: ReadSkew) {
    this.#journal = journal;
    this.#now = now;
    this.#readSkew = readSkew;
    this.#commits = new GroupCommit({ transaction: (work) => journal.atOnce(work) });
  }

  async claim(request: Claim): ReturnType<SendJournal['claim']> {
    let clock: Clock | undefined;
    for (;;) {
      const claimed = await this.#claim(request, clock);
      if (claimed !== 'expired') return claimed;
      clock = { skew: await this.#sharedSkew() };
    }
  }

  /** Returns `expired` for a key whose uses have expired by the clock of this machine, until the clocks were compared. */
  #claim(
    { sender, call, dedupeKey, since, admit }: Claim,
    clock: Clock | undefined,
  ): Promise<{ readonly id: number } | { readonly earlier: Outcome } | 'expired'> {
    const journal = this.#journal;
    return this.#commits.add(() => {
      const now = this.#now();
      if (dedupeKey !== undefined) {
        const use = { origin: sender.origin, dedupeKey, digest: call.digest, since };
        const earlier = journal.withKey(use, now, serviceNow(now, clock?.skew));
        if (earlier === 'expired' && !clock) return earlier;
        if (earlier && earlier !== 'expired') return { earlier };
      }
      admit?.(journal.countSince(sender, now - 3_600_000), call.to.split(',').length);
      return { id: journal.begin(sender, call, dedupeKey, now) };
    });
  }

  /** The texts of a list share a comparison of the clocks. A failed one is repeated. */
  #sharedSkew(): Promise<number | undefined> {
    this.#skew ??= this.#readSkew().catch((error: unknown) => {
      this.#skew = undefined;
      throw error;
    });
    return this.#skew;
  }

  addUnknown({ sender, call, dedupeKey, startedAt }: DoubtfulSend): Promise<void> {
    const journal = this.#journal;
    return this.#commits.add(() => {
      const id = journal.begin(sender, call, dedupeKey, startedAt);
      journal.end(id, { state: 'unknown' }, this.#now());
    });
  }

  async withKey(use: KeyUse): Promise<Outcome | undefined> {
    const now = this.#now();
    let earlier = this.#journal.withKey(use, now);
    if (earlier === 'expired')
      earlier = this.#journal.withKey(use, now, serviceNow(now, await this.#sharedSkew()));
    return earlier === 'expired' ? undefined : earlier;
  }

  renew(id: number): Promise<OutcomeState | undefined> {
    return this.#commits.add(() => this.#journal.renew(id, this.#now()));
  }

  end(id: number, ending: Ending): Promise<void> {
    return this.#commits.add(() => this.#journal.end(id, ending, this.#now()));
  }

  resolve(seen: Outcome, ending: Ending): Promise<boolean> {
    return this.#commits.add(() => this.#journal.resolve(seen, ending, this.#now()));
  }

  async list(owner: Owner, listing?: Listing): Promise<readonly Outcome[]> {
    return this.#journal.list(owner, this.#now(), listing);
  }

  async listAll(origin: string): Promise<readonly Outcome[]> {
    return this.#journal.listAll(origin, this.#now());
  }

  async withDigest(origin: string, digest: string): Promise<readonly Outcome[]> {
    return this.#journal.withDigest(digest, this.#now()).filter((outcome) => outcome.origin === origin);
  }

  async countSince(owner: Owner, time: number): Promise<number> {
    return this.#journal.countSince(owner, time);
  }

  close(): void {
    this.#journal.close();
  }
}

function serviceNow(now: number, skew: number | undefined): number | undefined {
  return skew === undefined ? undefined : now + skew;
}

/** The parts of a run that the journal needs. */
export interface JournalParts {
  readonly settings: Pick<Settings, 'storeUrl'>;
  readonly paths: Pick<Paths, 'state'>;
  now(): number;
  /** Waits while the store restarts. */
  sleep(milliseconds: number): Promise<void>;
  store(): Promise<Postgres>;
  /** Compares the clocks; without it, keys expire by this machine's clock. A store has a clock of its own. */
  readonly readSkew?: ReadSkew;
}

/**
 * Opens the journal of the store, or of this machine if no store is set.
 * @param purpose `read` opens the journal of this machine even if it cannot be written
 */
export async function openSendJournal(
  parts: JournalParts,
  purpose: 'send' | 'read' = 'send',
): Promise<SendJournal> {
  if (parts.settings.storeUrl.value === undefined) {
    const { state } = parts.paths;
    const journal = purpose === 'read' ? OutcomeJournal.openToRead(state) : OutcomeJournal.open(state);
    return new LocalSendJournal(
      journal,
      () => parts.now(),
      parts.readSkew ?? (() => Promise.resolve(undefined)),
    );
  }
  const [{ StoreSendJournal }, db] = await Promise.all([import('./store-journal.ts'), parts.store()]);
  return new StoreSendJournal(
    db,
    () => parts.now(),
    (milliseconds) => parts.sleep(milliseconds),
  );
}
