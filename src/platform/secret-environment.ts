/** Variables whose values are secrets; no program that ucctl starts needs them. */
const secretName = /^UCCTL_(TOKEN|CLIENT_SECRET|PASSWORD|SANDBOX_PASSWORD|ASSERTION|VERIFICATION_TOKEN)$/;

/** Whether a variable of the environment holds a secret of ucctl. */
export function isSecretVariable(name: string): boolean {
  return secretName.test(name);
}

/** The environment for a program that ucctl starts: all of it but the secrets. */
export function withoutSecrets(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isSecretVariable(name)));
}
