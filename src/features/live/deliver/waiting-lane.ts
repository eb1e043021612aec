import { laneBatch, type Delivery, type PendingDelivery } from '../store/deliveries.ts';

/** The deliveries of a lane that wait. Only the first of them are in memory, the others only in the store. */
export class WaitingLane {
  /** The first deliveries. */
  readonly deliveries: Delivery[] = [];
  /** The ID of the last delivery that was in memory. */
  #lastId = 0;
  /** The number of deliveries after it. */
  #unread = 0;

  /** Number of deliveries. */
  get size(): number {
    return this.deliveries.length + this.#unread;
  }

  /** Adds a delivery that the store has. If enough deliveries are in memory, `readMore` reads it later. */
  add(delivery: Delivery): void {
    if (this.#unread > 0 || this.deliveries.length >= laneBatch) {
      this.#unread += 1;
      return;
    }
    this.deliveries.push(delivery);
    this.#lastId = delivery.id;
  }

  /**
   * Reads the next deliveries if none is in memory.
   * @param read returns some pending deliveries of the lane after an ID
   * @param includes whether a delivery belongs to this process
   */
  readMore(
    read: (after: number) => readonly PendingDelivery[],
    includes: (delivery: PendingDelivery) => boolean,
  ): void {
    while (this.deliveries.length === 0 && this.#unread > 0) {
      const batch = read(this.#lastId);
      const own = batch.filter(includes);
      this.deliveries.push(...own);
      this.#lastId = batch.at(-1)?.id ?? this.#lastId;
      this.#unread = batch.length === 0 ? 0 : this.#unread - own.length;
    }
  }
}
