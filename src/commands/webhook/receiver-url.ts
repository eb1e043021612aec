import { usageError } from '../../errors/command.ts';

/** The address of a receiver on the command line. @throws {CommandError} */
export function receiverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return url;
  throw usageError(`"${text}" is no http(s):// address`);
}
