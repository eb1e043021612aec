/** The error for a reply that was not stored, because another process stored a reply of the same mailbox meanwhile. */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';

  constructor(extensionId: string, reason: string) {
    super(`the reply for mailbox ${extensionId} was not stored: ${reason} while it arrived`);
  }
}
