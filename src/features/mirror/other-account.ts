/** The error for a reply of another account than the one whose data the archive has. Nothing is stored. */
export class OtherAccountError extends Error {
  override readonly name = 'OtherAccountError';

  constructor(bound: string, answered: string) {
    super(`this archive belongs to account ${bound}, but the service returned data of account ${answered}`);
  }
}
