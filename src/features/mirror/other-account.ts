/** The error for data that belongs to a different account than the data of the archive. Nothing is stored. */
export class OtherAccountError extends Error {
  override readonly name = 'OtherAccountError';

  constructor(bound: string, other: string) {
    super(`this archive belongs to account ${bound}, but the new data belongs to account ${other}`);
  }
}
