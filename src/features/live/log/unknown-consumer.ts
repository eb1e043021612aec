/** The error for a consumer that does not exist. */
export class UnknownConsumerError extends Error {
  override readonly name = 'UnknownConsumerError';

  constructor(consumer: string) {
    super(`the event log has no consumer "${consumer}"`);
  }
}
