/** Thrown if another process has become the owner of a receiver. */
export class NotOwnerError extends Error {
  override readonly name = 'NotOwnerError';

  constructor() {
    super('another process has become the owner of the receiver');
  }
}
