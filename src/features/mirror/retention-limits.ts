import { mailboxMessages, sentFaxDays, unreadMessages } from '../../contract/limits.ts';
import { counted } from '../../platform/counted.ts';
import { type CommandText, type Hint, nextStep, ucctl } from '../../errors/hint.ts';

/** Minimum number of days after which a deleted message disappears (MESSAGE-27, MESSAGE-28). */
export const traceDays = 5;
/** Share of a limit above which a warning is shown. */
const nearly = 0.9;
export const graceDays = 3;
/** Maximum number of the newest messages of a type that are counted. */
export const looked = 20_000;

/** The mailbox of a warning. */
export interface WarnedMailbox {
  readonly id: string;
  readonly number: string | null;
  /** Whether it is the mailbox of the signed-in user. */
  readonly own: boolean | number;
}

/** Messages of one type and direction in a mailbox. */
export interface FolderCount extends WarnedMailbox {
  readonly type: string;
  readonly direction: string | null;
  readonly messages: number;
  readonly unread: number;
}

function labelOf({ id, number }: WarnedMailbox): string {
  return number ?? id;
}

/** Returns the command that syncs a mailbox. Without `--extension`, a sync copies only the user's own mailbox. */
function syncOf(mailbox: WarnedMailbox, flags: readonly string[] = []): CommandText {
  const extension = mailbox.own ? [] : ['--extension', labelOf(mailbox)];
  return ucctl`sync ${extension} ${flags}`;
}

export function staleWarning(mailbox: WarnedMailbox): Hint {
  return nextStep`mailbox ${labelOf(mailbox)} was last synced more than ${traceDays - graceDays} days ago; run ${syncOf(mailbox)}, because the service purges deleted messages after ${traceDays} days`;
}

/** A mailbox of which the service has older messages than the copy. */
export interface OlderMessages extends WarnedMailbox {
  /** Whether `--since` or `--max-records` limits the scope. */
  readonly isLimited: boolean | number;
}

export function olderThanScopeWarning(mailbox: OlderMessages): Hint {
  const what = `the local mailbox copy lacks older messages of mailbox ${labelOf(mailbox)}`;
  if (mailbox.isLimited)
    return `${what}; sync without --since and --max-records before the service deletes them`;
  return nextStep`${what}, because the service did not return them; to request them again: ${syncOf(mailbox, ['--full'])}`;
}

/** Returns warnings about folders of one type that are nearly full. @param folders at most `looked` messages */
export function crowdedWarnings(folders: readonly FolderCount[]): readonly string[] {
  const isPart = folders.reduce((sum, { messages }) => sum + messages, 0) >= looked;
  return folders.flatMap((folder) => {
    const { type, direction, messages, unread } = folder;
    if (['VoiceMail', 'Fax'].includes(type) && unread >= unreadMessages * nearly) {
      const what = `unread ${type === 'Fax' ? 'faxes' : 'voicemails'}`;
      return `mailbox ${labelOf(folder)} ${fillText(unread, unreadMessages, isPart)} ${what}; new messages replace the oldest, so sync often with --media`;
    }
    if (type === 'SMS' && messages >= mailboxMessages * nearly) {
      const what = `${direction === null ? '' : `${direction.toLowerCase()} `}texts`;
      return `mailbox ${labelOf(folder)} ${fillText(messages, mailboxMessages, isPart)} ${what}; new texts replace the oldest, so sync often`;
    }
    return [];
  });
}

/** @param isPart whether further messages were not counted. The copy may also have more messages than the service stores. */
function fillText(count: number, limit: number, isPart: boolean): string {
  if (count >= limit) return `has reached the maximum of ${limit}`;
  return `has ${isPart ? 'at least ' : ''}${count} of at most ${limit}`;
}

export function sentFaxWarning(faxes: number): readonly Hint[] {
  return faxes === 0
    ? []
    : [
        nextStep`ucctl has not copied the pages of ${counted(faxes, 'sent fax', 'sent faxes')}, and the service deletes them ${sentFaxDays} days after sending; run ${ucctl('sync --media')}`,
      ];
}
