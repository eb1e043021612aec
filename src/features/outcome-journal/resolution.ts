import type { Client } from '../../client/index.ts';
import type { Hint } from '../../errors/hint.ts';
import type { Outcome } from './outcome.ts';
import type { SendJournal } from './send-journal.ts';

/** Result of the search in the message store for one outcome. */
export interface Resolution {
  readonly outcome: Outcome;
  /** Result of the search. `undecided` leaves the outcome unknown, and `reason` contains the reason. */
  readonly result: 'sent' | 'not-sent' | 'undecided';
  readonly serviceId: string | undefined;
  readonly reason: Hint | undefined;
}

/** The outcomes to resolve, and the functions that read the mailbox. */
export interface ResolveOptions {
  readonly api: Client;
  readonly journal: Pick<SendJournal, 'resolve'>;
  /** The outcomes to resolve. */
  readonly unknown: readonly Outcome[];
  /** All outcomes of this machine on the service. One message can match only one outcome. */
  readonly all: readonly Outcome[];
  /** All identifiers of the signed-in user. */
  readonly owners: readonly string[];
  /**
   * Whether the user stated that no other machine or app sends texts for this user. Otherwise a message that is found
   * proves nothing, because another machine may have sent it at the same moment.
   */
  readonly isSoleSender: boolean;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}
