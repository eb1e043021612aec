import { CommandError, Exit } from './command.ts';

/** A newer version of ucctl has migrated the store, so this version must not write to it. */
export class NewerStoreError extends CommandError {
  /** @param place the address of the store, without a password */
  constructor(place: string, found: number, known: number) {
    const what = `was migrated by a newer version of ucctl (the store has schema version ${found}; this version of ucctl knows ${known})`;
    super('store_newer', Exit.local, `the store ${place} ${what}`, {
      hint: 'install the newer version of ucctl on this machine',
    });
  }
}
