import { execFile, spawnSync } from 'node:child_process';
import { withoutSecrets } from '../platform/secret-environment.ts';

/** State of the default keyring of the Linux Secret Service. `unknown` means that the state could not be determined. */
export type KeychainState = 'unlocked' | 'locked' | 'no-service' | 'no-default' | 'unknown';

const query = [
  '--session',
  '--print-reply',
  '--reply-timeout=2000',
  '--dest=org.freedesktop.secrets',
  '/org/freedesktop/secrets/aliases/default',
  'org.freedesktop.DBus.Properties.Get',
  'string:org.freedesktop.Secret.Collection',
  'string:Locked',
];

/**
 * Reads the state over D-Bus without opening the keyring, so that it never prompts and never hangs.
 * @param atOnce blocks this process until the answer (some milliseconds, at most three seconds). A blocking call takes
 * half the time of an asynchronous call, but is suitable only before other work has started.
 */
export async function askKeychainState(
  env: Readonly<Record<string, string | undefined>>,
  atOnce = false,
): Promise<KeychainState> {
  const options = { env: withoutSecrets(env), timeout: 3000, encoding: 'utf8' } as const;
  if (atOnce) {
    const { error, status, stdout, stderr } = spawnSync('dbus-send', query, options);
    return status === 0 ? readAnswer(stdout) : readFailure(error, stderr);
  }
  return new Promise((resolve) => {
    execFile('dbus-send', query, options, (error, stdout, stderr) => {
      resolve(error ? readFailure(error, stderr) : readAnswer(stdout));
    });
  });
}

function readAnswer(stdout: string): KeychainState {
  return /boolean true/.test(stdout) ? 'locked' : 'unlocked';
}

function readFailure(error: Error | undefined, stderr: string): KeychainState {
  return error && 'code' in error && error.code === 'ENOENT' ? 'unknown' : readErrorText(stderr);
}

function readErrorText(stderr: string): KeychainState {
  if (
    /ServiceUnknown|not provided by any|autolaunch|Failed to connect|Failed to open connection/i.test(stderr)
  ) {
    return 'no-service';
  }
  if (
    /UnknownMethod|UnknownObject|UnknownInterface|UnknownProperty|No such (object|interface|property)|InvalidArgs/i.test(
      stderr,
    )
  ) {
    return 'no-default';
  }
  return 'unknown';
}
