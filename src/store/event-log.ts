/**
 * A log of events. An event that was added is durable. A reader that remembers the position of its last event gets
 * every event once, in the order of the log, also while several writers add events.
 */
export interface EventLog<New, Stored, Position> {
  /** Resolves when the event is durable; only then may it be acknowledged. An event with a known key is not stored again. */
  append(event: New): Promise<'new' | 'duplicate'>;
  /** Events after a position, at most `most`. `undefined` is the position before the first event. */
  after(position: Position | undefined, most: number): Promise<readonly Stored[]>;
}
