import { execFile } from 'node:child_process';

/** What the Secret Service of a Linux session says of its default keyring. `unknown`: nobody could be asked. */
export type KeychainState = 'unlocked' | 'locked' | 'no-service' | 'no-default' | 'unknown';

const question = [
  '--session',
  '--print-reply',
  '--reply-timeout=2000',
  '--dest=org.freedesktop.secrets',
  '/org/freedesktop/secrets/aliases/default',
  'org.freedesktop.DBus.Properties.Get',
  'string:org.freedesktop.Secret.Collection',
  'string:Locked',
];

/** Asks over D-Bus, without touching the keyring: a question that never prompts and never hangs. */
export function askKeychainState(env: Readonly<Record<string, string | undefined>>): Promise<KeychainState> {
  return new Promise((resolve) => {
    execFile('dbus-send', question, { env: { ...env }, timeout: 3000 }, (error, stdout, stderr) => {
      if (!error) return resolve(/boolean true/.test(stdout) ? 'locked' : 'unlocked');
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return resolve('unknown');
      resolve(readRefusal(stderr));
    });
  });
}

function readRefusal(stderr: string): KeychainState {
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
