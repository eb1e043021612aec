import type { Inbox } from '../store/inbox.ts';

/** The subscription that a receiver made, written down so that the next run can end it after a crash. */
export class RecordedSubscription {
  readonly #inbox: Inbox;
  readonly #receiver: string;

  constructor(inbox: Inbox, receiver: string) {
    this.#inbox = inbox;
    this.#receiver = receiver;
  }

  /** Id of the one that a run before left behind. */
  get id(): string | undefined {
    const row = this.#inbox.db
      .prepare('SELECT subscriptionId FROM held WHERE receiver = ?')
      .get(this.#receiver);
    return (row as { subscriptionId: string } | undefined)?.subscriptionId;
  }

  set(subscriptionId: string): void {
    this.#inbox.db
      .prepare(
        'INSERT INTO held VALUES (?, ?) ON CONFLICT DO UPDATE SET subscriptionId = excluded.subscriptionId',
      )
      .run(this.#receiver, subscriptionId);
  }

  forget(): void {
    this.#inbox.db.prepare('DELETE FROM held WHERE receiver = ?').run(this.#receiver);
  }
}

/** Names of the receivers that have recorded a subscription. */
export function recordedReceivers(inbox: Inbox): readonly string[] {
  const rows = inbox.db.prepare('SELECT receiver FROM held ORDER BY receiver').all();
  return (rows as { receiver: string }[]).map(({ receiver }) => receiver);
}
