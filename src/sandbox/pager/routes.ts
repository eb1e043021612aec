import { pagerTextUnits } from '../../contract/limits.ts';
import type { PagerRequest } from '../../contract/pager.ts';
import { countUtf16Units } from '../../platform/utf16.ts';
import { ownExtension } from '../request/access.ts';
import type { Handler, Routes } from '../request/call.ts';
import { invalidParameter, messageError, notFound } from '../request/errors.ts';
import { toMessage } from '../messages/view.ts';
import { deliverPage } from './rules.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { World } from '../world/world.ts';

/** Serves POST .../company-pager (PAGER-1 to PAGER-11). */
const sendPager: Handler<'sendPager'> = (call) => {
  const { world, body } = call;
  const sender = ownExtension(call);
  checkSender(world, sender, body.from.extensionNumber);
  checkText(body.text);
  const threadId = body.replyOn === undefined ? undefined : threadOf(world, sender, body.replyOn);
  const recipients = recipientsOf(world, sender, body, threadId);
  checkRecipients(world, recipients);
  const redirect = (body.to ?? []).length > 0;
  const sent = deliverPage(world, {
    sender,
    recipients,
    text: body.text,
    ...(threadId !== undefined && { thread: { id: threadId, redirect } }),
  });
  return { json: toMessage(world, sent) };
};

/** A department cannot be the sender, not even for its manager (PAGER-5). */
function checkSender(world: World, sender: ExtensionRow, extensionNumber: string): void {
  const named = world.extensions.byNumber(sender.accountId, extensionNumber);
  if (sender.type === 'Department' || named?.type === 'Department') {
    throw messageError(
      403,
      'MSG-330',
      'Pager messages are not allowed for extension type Department',
      'from',
    );
  }
  if (named?.id === sender.id) return;
  throw messageError(
    400,
    'MSG-331',
    `Extension number ${extensionNumber} is not the number of the sender`,
    'from.extensionNumber',
  );
}

function checkText(text: string): void {
  if (text === '') throw invalidParameter('text', 'the text is empty');
  const units = countUtf16Units(text);
  if (units <= pagerTextUnits) return;
  throw invalidParameter(
    'text',
    `the text has ${units} UTF-16 code units, but at most ${pagerTextUnits} are allowed`,
  );
}

/** Only members of a thread can reply to it (PAGER-7). */
function threadOf(world: World, sender: ExtensionRow, replyOn: string | number): string {
  const message = world.messages.byId(Number(replyOn));
  const mailbox = message && world.extensions.byId(message.extensionId);
  const threadId = message?.conversationId ?? null;
  if (message?.type !== 'Pager' || mailbox?.accountId !== sender.accountId || threadId === null) {
    throw notFound('replyOn', 400);
  }
  if (message.availability === 'Purged') {
    throw messageError(403, 'MSG-325', 'The thread is too old for a reply', 'replyOn');
  }
  if (!world.pagerThreads.includes(threadId, sender.id)) {
    throw messageError(403, 'MSG-326', 'The sender is no longer a participant of the thread', 'replyOn');
  }
  return threadId;
}

/** A reply without `to` goes to the other members of the thread. */
function recipientsOf(
  world: World,
  sender: ExtensionRow,
  body: PagerRequest,
  threadId: string | undefined,
): readonly ExtensionRow[] {
  const named = body.to ?? [];
  if (named.length === 0 && threadId !== undefined) {
    const others = world.pagerThreads.participants(threadId).filter((id) => id !== sender.id);
    return others.map((id) => world.extensions.byId(id)).filter((row) => row !== undefined);
  }
  if (named.length === 0) {
    throw messageError(400, 'MSG-219', 'Parameter [to] is invalid. No recipients specified', 'to');
  }
  const numbers = [...new Set(named.map((party) => party.extensionNumber))];
  return numbers.map((number, index) => {
    const extension = world.extensions.byNumber(sender.accountId, number);
    if (!extension) throw notFound(`to[${index}].extensionNumber`, 400);
    return extension;
  });
}

/**
 * Checks that each recipient can receive pager messages, and that a department has agents (PAGER-2, PAGER-6, PAGER-9).
 */
function checkRecipients(world: World, recipients: readonly ExtensionRow[]): void {
  for (const { type, extensionNumber, status, id } of recipients) {
    const name = `Extension ${extensionNumber}`;
    if (!['User', 'Take Messages Only', 'Department'].includes(type)) {
      throw messageError(403, 'MSG-314', `${name} of type ${type} cannot receive pager messages`, 'to');
    }
    if (status === 'Disabled' || status === 'Frozen') {
      throw messageError(400, 'MSG-324', `${name} is ${status} and cannot receive pager messages`, 'to');
    }
    if (type === 'Department' && world.departments.members(id).total === 0) {
      throw messageError(400, 'MSG-316', `${name} has no members`, 'to');
    }
  }
}

/** Routes for sending pager messages; received messages are in the message store. */
export const pagerRoutes = { sendPager } satisfies Routes;
