/** The error for data that must not be deleted, because a legal hold retains it. Nothing is deleted. */
export class LegalHoldError extends Error {
  override readonly name = 'LegalHoldError';

  constructor(what: string) {
    super(`a legal hold retains ${what} with this number`);
  }
}
