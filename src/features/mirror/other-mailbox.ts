/** The mailbox in which earlier versions stored the messages of any user whose sync replies did not name the mailbox. */
export const unknownOwner = '~';

/** The error for a copy whose mailbox does not belong to the signed-in user. Nothing is stored. */
export class OtherMailboxError extends Error {
  override readonly name = 'OtherMailboxError';

  constructor(copied: string, answered: string) {
    super(
      `this local mailbox copy belongs to extension ${copied}, but the service returned the mailbox of extension ${answered}`,
    );
  }
}
