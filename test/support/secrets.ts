/** Shorter words occur by chance. */
const leastLength = 8;
const secretVariable = /TOKEN|SECRET|PASSWORD|ASSERTION/;

/** Secrets by value, each with its name. */
export type Secrets = ReadonlyMap<string, string>;

/** The values among these that are secrets and long enough to search for. */
export function secretsOf(named: Iterable<readonly [name: string, value: string | undefined]>): Secrets {
  const found = new Map<string, string>();
  for (const [name, value] of named) {
    const text = value?.trim() ?? '';
    if (text.length >= leastLength) found.set(text, name);
  }
  return found;
}

/** The secrets of an environment, by the names of their variables. */
export function secretsOfEnvironment(env: Readonly<Record<string, string | undefined>>): Secrets {
  return secretsOf(Object.entries(env).filter(([name]) => secretVariable.test(name)));
}

/** Describes which secret appears in which place. */
export function shownSecrets(
  secrets: Secrets,
  places: readonly (readonly [place: string, text: string])[],
): readonly string[] {
  const spellings = [...secrets].map(([secret, name]) => ({
    name,
    texts: [...new Set([secret, encodeURIComponent(secret)])],
  }));
  return places.flatMap(([place, text]) =>
    spellings
      .filter(({ texts }) => texts.some((secret) => text.includes(secret)))
      .map(({ name }) => `${name} in ${place}`),
  );
}

/** @throws when a secret appears in the output of a process or in its command line. */
export function checkShown(
  secrets: Secrets,
  argv: readonly string[],
  shown: { readonly stdout?: string; readonly stderr?: string },
): void {
  const { stdout = '', stderr = '' } = shown;
  const hits = shownSecrets(secrets, [
    ['stdout', stdout],
    ['stderr', stderr],
    ['argv', argv.join(' ')],
  ]);
  // The message must not repeat the secret in the command line.
  if (hits.length > 0) throw new Error(`a secret of a process shows: ${hits.join(', ')}`);
}
