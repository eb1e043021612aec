import { isHeaderSafe } from '../../../platform/header-safe.ts';
import type { Context } from '../../../runtime/context.ts';
import { usageError } from '../../../errors/command.ts';

/** What each notification must carry, if anything. @throws {CommandError} `usage` for a value that no header can carry. */
export function verificationTokenOf(ctx: Context): string | undefined {
  // A line break at its end, as files have it, is no part of it.
  const token = ctx.env['UCCTL_VERIFICATION_TOKEN']?.trim();
  if (!token) return undefined;
  if (isHeaderSafe(token)) return token;
  throw usageError(
    'UCCTL_VERIFICATION_TOKEN holds a space, a line break or a letter beyond ASCII, which no header carries',
    'print it alone: UCCTL_VERIFICATION_TOKEN="$(cat FILE)"',
  );
}
