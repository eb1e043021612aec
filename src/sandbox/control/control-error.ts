/** A refusal of the control surface: its own shape, not that of the service. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @throws {ControlError} 404 always. */
export function missing(what: string): never {
  throw new ControlError(404, 'not_found', `there is no ${what}`);
}
