import { pagerTextUnits } from '../../contract/limits.ts';
import type { PagerParty, PagerRequest } from '../../contract/pager.ts';
import { countUtf16Units } from '../../platform/utf16.ts';
import { ownExtension } from '../request/access.ts';
import type { Handler, Routes } from '../request/call.ts';
import { invalidParameter, messageError, notFound } from '../request/errors.ts';
import { toSentMessage } from '../messages/view.ts';
import { deliverPage } from './rules.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { World } from '../world/world.ts';

/** Serves POST .../company-pager (PAGER-1 to PAGER-12). */
const sendPager: Handler<'sendPager'> = (call) => {
  const { world, body } = call;
  const sender = ownExtension(call);
  checkSender(world, sender, body.from);
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
  return { json: toSentMessage(world, sent) };
};

/** A department cannot be the sender, not even for its manager (PAGER-5). */
function checkSender(world: World, sender: ExtensionRow, from: PagerParty | undefined): void {
  if (from === undefined && !world.dialect.hasPagerIds) throw invalidParameter('from');
  const { name, row } = from ? partyOf(world, sender, from, 'from') : { name: 'from', row: sender };
  if (sender.type === 'Department' || row?.type === 'Department') {
    throw messageError(
      403,
      'MSG-330',
      'Pager messages are not allowed for extension type Department',
      'from',
    );
  }
  if (row?.id === sender.id) return;
  throw messageError(400, 'MSG-331', `Parameter [${name}] is not the extension of the sender`, name);
}

/**
 * Returns the extension that a party names, and the member that names it.
 * @throws {ServiceError} CMN-101 for a party without a name.
 */
function partyOf(
  world: World,
  sender: ExtensionRow,
  { extensionNumber, extensionId }: PagerParty,
  path: string,
): { readonly name: string; readonly row: ExtensionRow | undefined } {
  if (extensionId !== undefined && world.dialect.hasPagerIds) {
    const row = world.extensions.byId(Number(extensionId));
    return { name: `${path}.extensionId`, row: row?.accountId === sender.accountId ? row : undefined };
  }
  const name = `${path}.extensionNumber`;
  if (extensionNumber === undefined) throw invalidParameter(name);
  return { name, row: world.extensions.byNumber(sender.accountId, extensionNumber) };
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
  const rows = named.map((party, index) => {
    const { name, row } = partyOf(world, sender, party, `to[${index}]`);
    if (!row) throw notFound(name, 400);
    return row;
  });
  return [...new Map(rows.map((row) => [row.id, row])).values()];
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
