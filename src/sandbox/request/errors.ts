import type { ErrorReply } from '../../contract/error.ts';

interface ErrorExtra {
  readonly parameterName?: string | undefined;
  readonly permissionName?: string | undefined;
  /** Code of the reply, if it differs from the code of its detail. */
  readonly outerCode?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error of the service, which is sent as an error body (ERROR-1). */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  /** Code of the error in the list `errors` of the reply. */
  readonly code: string;
  readonly body: ErrorReply;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, extra: ErrorExtra = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = extra.headers ?? {};
    const where = {
      ...(extra.parameterName && { parameterName: extra.parameterName }),
      ...(extra.permissionName && { permissionName: extra.permissionName }),
    };
    this.body = {
      errorCode: extra.outerCode ?? code,
      message,
      errors: [{ errorCode: code, message, ...where }],
      ...where,
    };
  }
}

/** The body of the reply for an unknown route: the list of errors is empty (ERROR-3). */
export const unknownRouteBody: ErrorReply = {
  errorCode: 'AGW-404',
  message: 'Resource not found',
  errors: [],
};

/** Returns the error CMN-101 for a parameter with an invalid or out-of-range value. */
export function invalidParameter(parameterName: string, detail?: string): ServiceError {
  const message = `Parameter [${parameterName}] value is invalid${detail ? `: ${detail}` : ''}`;
  return new ServiceError(400, 'CMN-101', message, { parameterName });
}

/**
 * Returns the error for a parameter that violates a rule for messages. The reply has the code InvalidParameter, and its
 * detail has the code of the rule.
 */
export function messageError(
  status: number,
  code: string,
  message: string,
  parameterName: string,
): ServiceError {
  if (status !== 400) return new ServiceError(status, code, message, { parameterName });
  return new ServiceError(status, code, message, { parameterName, outerCode: 'InvalidParameter' });
}

/** Returns the error CMN-102, with status 404 for an ID in the path and 400 for an ID in a body. */
export function notFound(parameterName: string, status: 404 | 400 = 404): ServiceError {
  const message = `Resource for parameter [${parameterName}] is not found`;
  return new ServiceError(status, 'CMN-102', message, { parameterName });
}

/** Returns the error for an app that lacks a permission (CMN-401). */
export function appPermissionMissing(permission: string): ServiceError {
  return new ServiceError(
    403,
    'CMN-401',
    `In order to call this API endpoint, application needs to have [${permission}] permission`,
    { permissionName: permission, outerCode: 'InsufficientPermissions' },
  );
}

/** Returns the error for a user who lacks a permission; `code` is the reason (ERROR-20). */
export function userNotAllowed(code: string, message: string): ServiceError {
  return new ServiceError(403, code, message, { outerCode: 'InsufficientPermissions' });
}

/** Creates the 401 error of an operation that requires a token. */
export function unauthorized(code: string, message: string): ServiceError {
  return new ServiceError(401, code, message, {
    ...(code !== 'OAU-128' && code !== 'OAU-123' && { outerCode: 'TokenInvalid' }),
    headers: { 'www-authenticate': 'Bearer realm="sandbox"' },
  });
}

/** An error of the token endpoint, in the format of OAuth (ERROR-2). */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly status: number;
  readonly error: string;
  readonly code: string;

  constructor(status: number, error: string, code: string, message: string) {
    super(message);
    this.status = status;
    this.error = error;
    this.code = code;
  }

  get body() {
    return {
      error: this.error,
      error_description: this.message,
      errors: [{ errorCode: this.code, message: this.message }],
    };
  }
}

/** A reply of the sandbox that violates the contract, which is a bug of the sandbox. */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation';
}
