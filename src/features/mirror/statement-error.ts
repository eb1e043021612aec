/** The error for a statement of the user that the database rejected. The connection is intact. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
}
