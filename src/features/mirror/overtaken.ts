/**
 * The error for a reply that was not stored, because another process stored a reply of the same mailbox in the
 * meantime.
 */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';

  constructor(extensionId: string, reason: string) {
    super(
      `ucctl did not store the reply for mailbox ${extensionId}: ${reason} while this reply was arriving`,
    );
  }
}
