import type { Notification } from '../../../contract/subscription.ts';

/** Length of the texts whose notifications are retained, in UTF-16 code units: some hundreds of the usual length. */
const mostCharacters = 500_000;

interface Retained {
  readonly notification: Notification;
  readonly characters: number;
}

/** Notifications as they were parsed at receipt, for the readers that follow closely; others parse the stored text. */
export class RecentNotifications {
  readonly #byId = new Map<number, Retained>();
  #characters = 0;

  /** @param id of the stored event. @param characters length of its text. */
  add(id: number, notification: Notification, characters: number): void {
    this.#byId.set(id, { notification, characters });
    this.#characters += characters;
    for (const [oldest, retained] of this.#byId) {
      if (this.#characters <= mostCharacters) return;
      this.#byId.delete(oldest);
      this.#characters -= retained.characters;
    }
  }

  get(id: number): Notification | undefined {
    return this.#byId.get(id)?.notification;
  }
}
