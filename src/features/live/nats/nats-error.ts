import { JetStreamApiError } from '@nats-io/jetstream';
import { AuthorizationError, ConnectionError, PermissionViolationError } from '@nats-io/transport-node';
import { CommandError, Exit, messageOf } from '../../../errors/command.ts';
import type { NatsAddress } from '../../../platform/nats-address.ts';

/** What is wrong, and the next step. */
interface Problem {
  readonly text: string;
  readonly hint: string;
  /** Whether the server may accept the same request later, without a change of its settings. */
  readonly isTemporary?: boolean;
}

/** Error codes of the server: too many replicas, and no space or no permitted space for a stream. */
const tooManyReplicas = new Set([10_005, 10_074]);
const noSpace = new Set([10_023, 10_028, 10_047]);

/** Returns the error of a server or stream that ucctl cannot use: `nats_not_usable` (exit 12), with the next step. */
export function natsError({ server }: NatsAddress, cause: unknown): CommandError {
  const { text, hint, isTemporary = false } = problemOf(cause);
  return new CommandError('nats_not_usable', Exit.local, `cannot use NATS at ${server}: ${text}`, {
    hint,
    retryable: isTemporary,
    cause,
  });
}

function problemOf(cause: unknown): Problem {
  const violation = permissionViolation(cause);
  if (violation)
    return {
      text: `the user may not ${violation.operation === 'publish' ? 'publish to' : 'subscribe to'} "${violation.subject}"`,
      hint: 'use another user (NATS_USER and NATS_PASSWORD, NATS_TOKEN or NATS_CREDS), or permit this subject in the settings of the server',
    };
  if (cause instanceof AuthorizationError)
    return {
      text: 'the server rejects the sign-in',
      hint: 'set NATS_USER and NATS_PASSWORD, NATS_TOKEN or NATS_CREDS to a user of this server',
    };
  if (hasNoJetStream(cause))
    return {
      text: 'the server runs without JetStream',
      hint: 'start the server with JetStream: nats-server -js',
    };
  if (cause instanceof JetStreamApiError) return apiProblem(cause);
  return connectionProblem(cause);
}

function apiProblem({ code, message }: JetStreamApiError): Problem {
  if (tooManyReplicas.has(code))
    return {
      text: message,
      hint: 'use a smaller number in ?replicas=N, at most the number of servers in the cluster',
    };
  if (noSpace.has(code))
    return {
      text: message,
      hint: 'increase max_file in the JetStream settings of the server, or delete streams that are no longer needed',
      isTemporary: true,
    };
  return {
    text: message,
    hint: 'check the stream (nats stream info) and the log of the server',
    isTemporary: true,
  };
}

function connectionProblem(cause: unknown): Problem {
  const text = messageOf(cause).replace(/^'(.*)'$/, '$1');
  if (/certificate|self.signed/i.test(text))
    return { text, hint: 'set NATS_CA to a file with the certificate authority of the server' };
  if (/does not support 'tls/i.test(text))
    return {
      text: 'the server does not support TLS',
      hint: 'use nats:// without NATS_CA and NATS_CERT, or enable TLS on the server',
    };
  if (/ENOTFOUND|EAI_AGAIN/.test(text))
    return {
      text: 'the host is unknown',
      hint: 'check the host in nats://HOST:PORT/STREAM',
      isTemporary: true,
    };
  const isNoServer = cause instanceof ConnectionError || /refused|timeout|no connection/i.test(text);
  return {
    text,
    hint: isNoServer
      ? 'check the address, and start the server: nats-server -js'
      : 'check the address, and the log of the server',
    isTemporary: true,
  };
}

/** Returns the permission that the user lacks. A request has it as its cause. */
export function permissionViolation(error: unknown): PermissionViolationError | undefined {
  for (let one = error; one instanceof Error; one = one.cause)
    if (one instanceof PermissionViolationError) return one;
  return undefined;
}

/** Whether nobody has replied to a request to JetStream. The package does not export the class of this error. */
export function hasNoJetStream(error: unknown): boolean {
  return error instanceof Error && /jetstream is not enabled/i.test(error.message);
}
