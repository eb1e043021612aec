/** Environment variables with secrets that ucctl reads. Child processes do not receive them. */
const secretName =
  /^UCCTL_(TOKEN|CLIENT_SECRET|PASSWORD|SANDBOX_PASSWORD|ASSERTION|VERIFICATION_TOKEN|STORE_KEY)$|^PGPASSWORD$|^NATS_(PASSWORD|TOKEN)$|^AWS_(SECRET_ACCESS_KEY|SESSION_TOKEN)$/;
/** The address of the store, which is a secret if it contains a password. */
const storeVariable = 'UCCTL_STORE';

/** Whether an environment variable contains a secret of ucctl. */
export function isSecretVariable(name: string, value = ''): boolean {
  return secretName.test(name) || (name === storeVariable && /:\/\/[^/@]*:[^/]*@|[?&]password=/i.test(value));
}

/** Returns the environment of a child process: all variables except secrets. */
export function withoutSecrets(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => !isSecretVariable(name, value)));
}
