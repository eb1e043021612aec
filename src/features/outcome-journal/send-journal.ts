import type { CallDescription } from './describe-call.ts';
import type { Listing } from './listing.ts';
import type { Ending, Owner, Sender } from './journal.ts';
import type { Outcome, OutcomeState } from './outcome.ts';
import type { KeyUse } from './key-uses.ts';

/** Blocks a request because of the number of requests in the last hour, by throwing. */
export type Admit = (sentLastHour: number, more: number) => void;

/** A request that is about to be sent. */
export interface Claim extends Pick<KeyUse, 'since'> {
  readonly sender: Sender;
  readonly call: CallDescription;
  readonly dedupeKey: string | undefined;
  readonly admit: Admit | undefined;
}

/** A request that a killed process may have been about to send. */
export interface DoubtfulSend extends Pick<Claim, 'sender' | 'call' | 'dedupeKey'> {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** Journal of the requests that must not be sent twice: of this machine, or of all machines that share a store. */
export interface SendJournal {
  /**
   * Records a request before it is sent, unless its key was used in the last 24 hours. The record is durable when the
   * promise resolves.
   * @returns the ID of the record, or the earlier request with the key.
   */
  claim(claim: Claim): Promise<{ readonly id: number } | { readonly earlier: Outcome }>;
  /** Records a request without a record of its own, as unknown, so that its outcome can be resolved. */
  addUnknown(send: DoubtfulSend): Promise<void>;
  /** Returns the request that used a key and did not fail. */
  withKey(use: KeyUse): Promise<Outcome | undefined>;
  /**
   * Renews the record of a request that this process is about to send, so that its outcome does not count as unknown
   * while the request is under way. A record that is not in the state `sending` stays unchanged.
   * @returns the state of the record; undefined if it was deleted
   */
  renew(id: number): Promise<OutcomeState | undefined>;
  /** Records the outcome of a request of this process. */
  end(id: number, ending: Ending): Promise<void>;
  /**
   * Records the result of a search for an unknown outcome.
   * @param seen the outcome before the search
   * @returns false if the record has changed since then. It stays unchanged, because the request may have been sent
   * during the search.
   */
  resolve(seen: Outcome, ending: Ending): Promise<boolean>;
  /** Returns the outcomes of a profile and a service, newest first. */
  list(owner: Owner, listing?: Listing): Promise<readonly Outcome[]>;
  /** Returns the outcomes of all profiles for a service, newest first. */
  listAll(origin: string): Promise<readonly Outcome[]>;
  /** Returns the outcomes of a service with the same sender, recipients and content (`textDigest`), newest first. */
  withDigest(origin: string, digest: string): Promise<readonly Outcome[]>;
  /** Returns the number of messages and calls since `time` that were sent or may have been sent, counted by recipient. */
  countSince(owner: Owner, time: number): Promise<number>;
  close(): void;
}
