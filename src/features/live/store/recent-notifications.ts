import type { Notification } from '../../../contract/subscription.ts';

/** Total text length of the retained notifications, in UTF-16 code units: a few hundred typical notifications. */
const maxCharacters = 500_000;

interface Retained {
  readonly notification: Notification;
  readonly characters: number;
}

/**
 * The parsed notifications of the last events, for readers that are up to date; other readers parse the stored text.
 */
export class RecentNotifications {
  readonly #byId = new Map<number, Retained>();
  #characters = 0;

  /** @param id of the stored event. @param characters length of its text. */
  add(id: number, notification: Notification, characters: number): void {
    this.#byId.set(id, { notification, characters });
    this.#characters += characters;
    for (const [oldest, retained] of this.#byId) {
      if (this.#characters <= maxCharacters) return;
      this.#byId.delete(oldest);
      this.#characters -= retained.characters;
    }
  }

  get(id: number): Notification | undefined {
    return this.#byId.get(id)?.notification;
  }
}
