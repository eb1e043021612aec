import { CommandError, type CommandErrorDetails, Exit, KeychainMissingError } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';

/** Whether the session is read from or saved in the keychain. */
export type KeychainPurpose = 'read' | 'save';

/**
 * The sign-in command that needs no keychain. Most commands have no option --store, so the hint contains the whole
 * command.
 */
const fileStoreHint = nextStep`${ucctl('login --store file')} (plain text, mode 0600)`;

/** Returns the error for a locked keyring (`keychain_locked`, exit 12). */
export function keychainLocked(): CommandError {
  return new CommandError('keychain_locked', Exit.local, 'the keyring is locked', {
    hint: nextStep`unlock the keyring (desktop prompt, or gnome-keyring-daemon --unlock) and run the command again, or store the session in a file: ${ucctl('login --store file')}`,
    retryable: true,
  });
}

/**
 * For a profile with a PostgreSQL store, where `login --store file` would replace the store or limit the session to this
 * machine.
 */
const sharedStoreHint =
  'share the session through the PostgreSQL store: create a key (openssl rand -base64 32), and set UCCTL_STORE_KEY_FILE to its file; or set UCCTL_TOKEN';

/**
 * Returns the error for a machine without a keyring service (`keychain_missing`, exit 12).
 * @param hasSharedStore whether the profile uses a PostgreSQL store.
 */
export function keychainMissing(purpose: KeychainPurpose, hasSharedStore = false): CommandError {
  const hint = hasSharedStore ? sharedStoreHint : undefined;
  return unavailable('no keychain service is available (no D-Bus session)', purpose, { hint });
}

/**
 * Returns the error for an installation whose keychain addon cannot be loaded, as on a read-only disk
 * (`keychain_missing`, exit 12).
 */
export function keychainAddonMissing(reason: string, purpose: KeychainPurpose): CommandError {
  return unavailable('ucctl cannot load its keychain addon', purpose, { details: [reason] });
}

function unavailable(
  reason: string,
  purpose: KeychainPurpose,
  { hint, details }: CommandErrorDetails,
): CommandError {
  const message = `the session cannot be ${purpose === 'save' ? 'saved' : 'read'}: ${reason}`;
  return new KeychainMissingError(message, {
    hint: hint ?? nextStep`store the session in a file: ${fileStoreHint}, or set UCCTL_TOKEN`,
    details,
  });
}

/** Returns the error for a keyring service without a default keyring (`keychain_no_default`, exit 12). */
export function keychainWithoutDefault(): CommandError {
  return new CommandError('keychain_no_default', Exit.local, 'the keyring service has no default keyring', {
    hint: nextStep`create a default keyring (for example in seahorse: New → Password keyring), or store the session in a file: ${fileStoreHint}`,
  });
}

/** Converts a message of the keychain library to an error. */
export function keychainError(message: string, purpose: KeychainPurpose): CommandError {
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
      'the session is too large for the keychain of this system',
      {
        hint: nextStep`store the session in a file: ${fileStoreHint}`,
        details: [message],
      },
    );
  }
  return new CommandError('keychain_failed', Exit.local, 'the keychain returned an error', {
    hint: nextStep`check that the keychain service runs and is unlocked, or store the session in a file: ${fileStoreHint}`,
    details: [message],
  });
}
