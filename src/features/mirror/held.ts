/** The error for data that must not be deleted, because a legal hold keeps it. Nothing is deleted. */
export class HeldError extends Error {
  override readonly name = 'HeldError';

  constructor(messages: number, calls: number) {
    super(`a legal hold keeps ${messages} messages and ${calls} call records with this number`);
  }
}
