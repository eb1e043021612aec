/** The error for a statement of the user that the database rejected. The connection is intact. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
  /** The SQLSTATE of the server. */
  readonly code: string | undefined;

  constructor(
    message: string,
    { cause, code }: { readonly cause: unknown; readonly code: string | undefined },
  ) {
    super(message, { cause });
    this.code = code;
  }
}
