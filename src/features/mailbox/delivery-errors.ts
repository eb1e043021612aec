import type { Message } from '../../contract/message.ts';
import { counted } from '../../platform/counted.ts';
import { deliveryErrorText } from '../../platform/delivery-error-text.ts';

/** Collects the delivery errors of listed messages, each with the number of its messages. */
export class DeliveryErrors {
  readonly #counts = new Map<string, number>();

  /** Yields the messages unchanged. */
  async *of(messages: AsyncIterable<Message>): AsyncGenerator<Message, void, undefined> {
    for await (const message of messages) {
      this.add(message);
      yield message;
    }
  }

  add({ deliveryErrorCode: code }: Pick<Message, 'deliveryErrorCode'>): void {
    if (code !== undefined) this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1);
  }

  /** One line for each code. */
  get lines(): readonly string[] {
    return [...this.#counts].map(([code, count]) => `${counted(count, 'text')}: ${deliveryErrorText(code)}`);
  }
}
