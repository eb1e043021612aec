export { copyIntoStore } from './copy-from.ts';
export { copyPolicy } from './deletion-policy.ts';
export { guardedArchives, openCompliance, openStoreArchive } from './open.ts';
export { requireArchiveAccount, signInUser, type SignInUser } from './sign-in-account.ts';
export {
  changeHolds,
  deleteExpired,
  expiredData,
  legalHolds,
  mailboxId,
  retentionRules,
  ruledTypes,
  setRules,
  type LegalHold,
  type RuledType,
} from './rules.ts';
