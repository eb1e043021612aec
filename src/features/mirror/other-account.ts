/** The error for a reply that belongs to a different account than the data of the archive. Nothing is stored. */
export class OtherAccountError extends Error {
  override readonly name = 'OtherAccountError';

  constructor(bound: string, answered: string) {
    super(`this archive belongs to account ${bound}, but the service returned data of account ${answered}`);
  }
}
