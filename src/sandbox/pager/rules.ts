import type { Party } from '../../contract/message.ts';
import { addMessageWithId, newMessageId } from '../messages/rules.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { MessageRow } from '../messages/store.ts';
import type { World } from '../world/world.ts';

/** A validated page. */
interface Page {
  readonly sender: ExtensionRow;
  readonly recipients: readonly ExtensionRow[];
  readonly text: string;
  /** The thread that the pager message replies to. */
  readonly thread?: {
    readonly id: string;
    /** Whether the recipients become members of the thread. */
    readonly redirect: boolean;
  };
}

/**
 * Stores a pager message in the mailboxes of the sender and of every active recipient; a department forwards it to its
 * agents (PAGER-3, PAGER-4, PAGER-6). A thread has the ID of its first message.
 */
export function deliverPage(world: World, { sender, recipients, text, thread }: Page): MessageRow {
  const id = newMessageId(world);
  const conversationId = thread?.id ?? String(id);
  const others = recipients.filter((recipient) => recipient.id !== sender.id);
  if (thread?.redirect ?? true) {
    world.pagerThreads.save(conversationId, [sender.id, ...recipients.map((recipient) => recipient.id)]);
  }
  const message = {
    type: 'Pager',
    subject: text,
    conversationId,
    from: partyOf(sender),
    // The list of recipients also contains the sender (PAGER-3).
    to: [...others, sender].map(partyOf),
    details: { pgToDepartment: recipients.some((recipient) => recipient.type === 'Department') },
  };
  const sent = addMessageWithId(world, id, {
    ...message,
    extensionId: sender.id,
    direction: 'Outbound',
    messageStatus: 'Sent',
  });
  for (const extensionId of mailboxesOf(world, others, sender)) {
    addMessageWithId(world, newMessageId(world), {
      ...message,
      extensionId,
      direction: 'Inbound',
      messageStatus: 'Received',
    });
  }
  return sent;
}

function partyOf(extension: ExtensionRow): Party {
  return {
    ...(extension.extensionNumber !== null && { extensionNumber: extension.extensionNumber }),
    extensionId: String(extension.id),
    name: extension.name,
  };
}

/** Returns the recipients without duplicates, including the agents of named departments. */
function mailboxesOf(
  world: World,
  recipients: readonly ExtensionRow[],
  sender: ExtensionRow,
): ReadonlySet<number> {
  const mailboxes = new Set<number>();
  for (const recipient of recipients) {
    mailboxes.add(recipient.id);
    if (recipient.type !== 'Department') continue;
    for (const agent of world.departments.members(recipient.id).rows) {
      if (agent.status === 'Enabled' && agent.id !== sender.id) mailboxes.add(agent.id);
    }
  }
  return mailboxes;
}
