import { CommandError, Exit } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';

/** Whether the keychain was to be read, or to take a new session. */
export type KeychainPurpose = 'read' | 'save';

/** The keyring is there and locked (`keychain_locked`, exit 12). */
export function keychainLocked(): CommandError {
  return new CommandError('keychain_locked', Exit.local, 'Your keyring is locked.', {
    hint: 'Unlock it (desktop prompt, or: gnome-keyring-daemon --unlock) and run again, or use --store file.',
    retryable: true,
  });
}

/** This machine has no keyring service (`keychain_missing`, exit 12). */
export function keychainMissing(purpose: KeychainPurpose): CommandError {
  const consequence = purpose === 'save' ? 'Sign-in cannot be saved.' : 'The session cannot be read.';
  const message = `No keychain service here (no D-Bus session). ${consequence}`;
  return new CommandError('keychain_missing', Exit.local, message, {
    hint:
      purpose === 'save'
        ? 'Choose: --store file (plain text, mode 0600) or UCCTL_TOKEN.'
        : nextStep`${ucctl('login --store file')} (plain text, mode 0600), or set UCCTL_TOKEN`,
  });
}

/** A keyring service runs, and none of its keyrings is the default (`keychain_no_default`, exit 12). */
export function keychainWithoutDefault(): CommandError {
  return new CommandError(
    'keychain_no_default',
    Exit.local,
    'A keyring service runs but has no default keyring.',
    { hint: 'Create one (e.g. seahorse → New → Password keyring, set as default) or use --store file.' },
  );
}

/** Puts what the keychain library said into words for the user. */
export function keychainError(message: string, purpose: KeychainPurpose, cause?: unknown): CommandError {
  if (/prompt was dismissed|locked/i.test(message)) return keychainLocked();
  if (/no result found/i.test(message)) return keychainWithoutDefault();
  if (
    /DBus error|not provided by any|Failed to connect|autolaunch|AccessDenied|PermissionDenied/i.test(message)
  ) {
    return keychainMissing(purpose);
  }
  if (/longer than the platform limit|rejected by the platform/i.test(message)) {
    return new CommandError(
      'keychain_too_small',
      Exit.local,
      'The keychain of this system cannot hold a session of this size.',
      {
        hint: 'use --store file (plain text, mode 0600)',
        details: [message],
        cause,
      },
    );
  }
  return new CommandError('keychain_failed', Exit.local, 'The keychain refused.', {
    hint: 'mend the keychain, or use --store file (plain text, mode 0600)',
    details: [message],
    cause,
  });
}
