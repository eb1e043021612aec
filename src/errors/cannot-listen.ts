import { CommandError, Exit, messageOf } from './command.ts';

/** The remedies for an address on which a server cannot listen. */
export interface ListenHints {
  readonly otherPort: string;
  readonly otherHost: string;
}

/**
 * Returns the error of a server that cannot listen: `cannot_listen` (exit 12).
 * @param cause the system's error, such as EADDRINUSE.
 * @param subject begins the message, for a server that is not the purpose of the command.
 */
export function cannotListen(
  { host, port, cause }: { readonly host: string; readonly port: number; readonly cause: unknown },
  { otherPort, otherHost }: ListenHints,
  subject = '',
): CommandError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const { why, hint } = {
    EADDRINUSE: { why: `port ${port} of ${host} is already in use`, hint: otherPort },
    EACCES: { why: `you do not have permission to listen on ${host}, port ${port}`, hint: otherPort },
    EADDRNOTAVAIL: { why: `${host} is not an address of this machine`, hint: otherHost },
    ENOTFOUND: { why: `host ${host} not found`, hint: otherHost },
  }[code] ?? { why: `cannot listen on ${host}, port ${port}: ${messageOf(cause)}`, hint: otherPort };
  return new CommandError('cannot_listen', Exit.local, `${subject}${why}`, { hint, cause });
}
