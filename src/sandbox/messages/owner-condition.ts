import type { Conditions } from '../world/sql.ts';

/** The extensions whose messages a request covers. */
export interface MessageOwners {
  /** IDs of the extensions; undefined for the mailbox of the request alone (CURRENT-17). */
  readonly owners?: readonly number[] | undefined;
  /** The same for voicemails; undefined if `owners` applies to them, too (CURRENT-19). */
  readonly voicemailOwners?: readonly number[] | undefined;
}

/** Returns the extensions whose messages of any type are covered. */
export function ownersIn(mailbox: number, { owners, voicemailOwners }: MessageOwners): readonly number[] {
  return [...new Set([...(owners ?? [mailbox]), ...(voicemailOwners ?? [])])];
}

/** Adds the condition that a message belongs to one of the owners. */
export function addOwners(where: Conditions, mailbox: number, covered: MessageOwners): Conditions {
  const { owners, voicemailOwners } = covered;
  where.in('extensionId', ownersIn(mailbox, covered));
  if (!voicemailOwners) return where;
  return where.add(
    `extensionId IN (SELECT value FROM json_each(iif(message.type = 'VoiceMail', :voicemailOwners, :owners)))`,
    { voicemailOwners: JSON.stringify(voicemailOwners), owners: JSON.stringify(owners ?? [mailbox]) },
  );
}
