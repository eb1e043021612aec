import { usageError } from '../../errors/command.ts';
import { maskUserInfo } from '../../platform/user-info.ts';

/** Parses the URL of a receiver. @throws {CommandError} */
export function receiverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return url;
  throw usageError(
    `"${maskUserInfo(text)}" is not a valid http:// or https:// URL`,
    'use the complete address of the receiver, such as http://localhost:3000/hook',
  );
}
