import { mailboxMessages, sentFaxDays, unreadMessages } from '../../contract/limits.ts';
import { counted } from '../../platform/counted.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';

/** Minimum number of days after which a deleted message disappears (MESSAGE-27, MESSAGE-28). */
export const traceDays = 5;
/** Share of a limit above which a warning is shown. */
const nearly = 0.9;
export const graceDays = 3;
/** Maximum number of the newest messages of a type that are counted. */
export const looked = 20_000;

/** Messages of one type and direction in a mailbox. */
export interface FolderCount {
  readonly id: string;
  readonly type: string;
  readonly direction: string | null;
  readonly messages: number;
  readonly unread: number;
}

export function staleWarning(id: string): Hint {
  return nextStep`mailbox ${id} was last synced more than ${traceDays - graceDays} days ago; run ${ucctl('sync')}, because the service purges deleted messages after ${traceDays} days`;
}

/** A mailbox of which the service has older messages than the copy. */
export interface OlderMessages {
  readonly id: string;
  /** Whether `--since` or `--max-records` limits the scope. */
  readonly isLimited: boolean | number;
}

export function olderThanScopeWarning({ id, isLimited }: OlderMessages): Hint {
  const what = `the local mailbox copy lacks older messages of mailbox ${id}`;
  if (isLimited) return `${what}; sync without --since and --max-records before the service deletes them`;
  return nextStep`${what}, because the service did not return them; to request them again: ${ucctl('sync --full')}`;
}

/** Returns a warning if a folder is nearly full. */
export function crowdedWarning({ id, type, direction, messages, unread }: FolderCount): readonly string[] {
  if (['VoiceMail', 'Fax'].includes(type) && unread >= unreadMessages * nearly) {
    return [
      `mailbox ${id} has ${unread} of at most ${unreadMessages} unread ${type === 'Fax' ? 'faxes' : 'voicemails'}; new messages replace the oldest, so sync often with --media`,
    ];
  }
  if (type === 'SMS' && messages >= mailboxMessages * nearly) {
    return [
      `mailbox ${id} has ${messages} of at most ${mailboxMessages} ${direction === null ? '' : `${direction.toLowerCase()} `}texts; new texts replace the oldest, so sync often`,
    ];
  }
  return [];
}

export function sentFaxWarning(faxes: number): readonly Hint[] {
  return faxes === 0
    ? []
    : [
        nextStep`ucctl has not copied the pages of ${counted(faxes, 'sent fax', 'sent faxes')}, and the service deletes them ${sentFaxDays} days after sending; run ${ucctl('sync --media')}`,
      ];
}
