/** Environment variables with secrets, which child processes do not receive. UCCTL_STORE may contain a password. */
const secretName =
  /^UCCTL_(TOKEN|CLIENT_SECRET|PASSWORD|SANDBOX_PASSWORD|ASSERTION|VERIFICATION_TOKEN|STORE_KEY)$|^PGPASSWORD$/;

/** Whether an environment variable contains a secret of ucctl. */
export function isSecretVariable(name: string): boolean {
  return secretName.test(name);
}

/** The environment of a child process: all variables except secrets. */
export function withoutSecrets(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isSecretVariable(name)));
}
