/** The error for a write by a worker that no longer has its task. The store discards the whole write. */
export class FencedError extends Error {
  override readonly name = 'FencedError';

  constructor(label: string) {
    super(`another worker has taken over ${label}`);
  }
}

/**
 * The error for a request without a reply within the timeout. Another worker or a later attempt continues.
 */
export class StalledError extends Error {
  override readonly name = 'StalledError';

  constructor(seconds: number) {
    super(`the service sent no data for ${seconds} s`);
  }
}

/**
 * The error for a request without a reply, while the service does not reply to the worker at all. Another worker may reach
 * the service.
 */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  constructor() {
    super('the service does not reply to this worker');
  }
}

/**
 * The error for a task whose attempts all fail until somebody fixes the cause, such as a missing permission.
 */
export class PermanentTaskError extends Error {
  override readonly name = 'PermanentTaskError';
}

/**
 * The error for a task that the sign-in cannot execute, although another sign-in may be able to, such as a mailbox that its
 * user must not read.
 */
export class UnsuitableSessionError extends Error {
  override readonly name = 'UnsuitableSessionError';
}

/** The error for a sign-in that cannot execute any task, because it belongs to another account. */
export class OtherAccountSessionError extends Error {
  override readonly name = 'OtherAccountSessionError';
}

/** The reason for an attempt whose task is released, because the worker is stopping or cannot reach the store. */
export class Released extends Error {
  override readonly name = 'Released';

  constructor() {
    super('the worker released the task, because the worker is stopping or cannot reach the store');
  }
}
