/** Whether a value of the setting `store` names a PostgreSQL server. */
export function isStoreUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text);
}

/**
 * Checks the address of a store. Only an environment variable may contain a password, because other users of the
 * machine can read command lines, and the config file holds no secrets.
 * @throws {RangeError} with a message that contains no password.
 */
export function checkStoreUrl(text: string, mayHavePassword: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url)
    throw new RangeError(
      'the store address is not a valid PostgreSQL address; use postgres://USER@HOST:PORT/DATABASE',
    );
  const hasPassword = url.password !== '' || url.searchParams.has('password');
  if (hasPassword && !mayHavePassword) {
    throw new RangeError(
      'the store address must not contain a password; use PGPASSFILE (default ~/.pgpass) or PGPASSWORD',
    );
  }
  return text;
}

/** Returns the address of a store without its password, for messages. */
export function storeWithoutPassword(text: string): string {
  if (!URL.canParse(text)) return 'postgres://';
  const url = new URL(text);
  url.password = '';
  url.searchParams.delete('password');
  return url.href;
}
