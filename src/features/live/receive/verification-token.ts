import { randomBytes } from 'node:crypto';
import { isHeaderSafe } from '../../../platform/header-safe.ts';
import type { Context } from '../../../runtime/context.ts';
import { filledVariable } from '../../../runtime/variable.ts';
import { usageError } from '../../../errors/command.ts';

/**
 * Returns the verification token of notifications, if it is configured. @throws {CommandError} `usage` for a value that
 * is not allowed in a header, and for an empty value: without a token, a receiver accepts events from anybody.
 */
export function verificationTokenOf(ctx: Context): string | undefined {
  // A value that was read from a file may end in a line break.
  const token = filledVariable(ctx.env, 'UCCTL_VERIFICATION_TOKEN')?.trim();
  if (token === undefined || isHeaderSafe(token)) return token;
  throw usageError(
    'UCCTL_VERIFICATION_TOKEN contains a character that is not allowed in an HTTP header; only visible ASCII characters are allowed',
    'check the file or command that sets the variable, such as UCCTL_VERIFICATION_TOKEN="$(cat FILE)"',
  );
}

/** Generates a verification token. */
export function verificationToken(): string {
  return randomBytes(24).toString('base64url');
}
