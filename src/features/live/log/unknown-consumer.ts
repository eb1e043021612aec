/** The error for a consumer that does not exist. */
export class UnknownConsumerError extends Error {
  override readonly name = 'UnknownConsumerError';

  constructor(consumer: string) {
    super(`consumer "${consumer}" not found in the event log`);
  }
}
