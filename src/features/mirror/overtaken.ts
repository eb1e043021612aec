/** The error for data that was not stored, because the archive changed while the data was arriving. */
export class OvertakenError extends Error {
  override readonly name: string = 'OvertakenError';

  /** @param what the data, such as `the reply for mailbox 171857102` */
  constructor(what: string, reason: string) {
    super(`ucctl did not store ${what}: ${reason} in the meantime`);
  }
}

/**
 * The error for calls that were not stored, because the archive has another position than the one from which they were
 * read. The server lost the last pages in a crash, or another process stored calls of the same scope.
 */
export class PositionChangedError extends OvertakenError {
  override readonly name = 'PositionChangedError';

  constructor() {
    super('a part of the call log', 'the position in the archive changed');
  }
}
