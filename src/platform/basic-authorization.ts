/**
 * Returns the header value with the user name and the password of an address; undefined without both. A `%` that
 * begins no percent-encoding stands for itself, as in curl, because passwords are often written without encoding.
 */
export function basicAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  // The texts of a URL are ASCII, and a percent-encoding is any byte.
  const pair = `${username}:${password}`.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return `Basic ${Buffer.from(pair, 'latin1').toString('base64')}`;
}
