import { isHeaderSafe } from '../../../platform/header-safe.ts';
import type { Context } from '../../../runtime/context.ts';
import { usageError } from '../../../errors/command.ts';

/** The verification token of notifications, if one is configured. @throws {CommandError} `usage` for a value that is not allowed in a header. */
export function verificationTokenOf(ctx: Context): string | undefined {
  // A value that was read from a file may end in a line break.
  const token = ctx.env['UCCTL_VERIFICATION_TOKEN']?.trim();
  if (!token) return undefined;
  if (isHeaderSafe(token)) return token;
  throw usageError(
    'UCCTL_VERIFICATION_TOKEN contains a character that is not allowed in an HTTP header (only visible ASCII is)',
    'check the file or command that sets it, e.g. UCCTL_VERIFICATION_TOKEN="$(cat FILE)"',
  );
}
