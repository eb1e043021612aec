import { z } from 'zod';
import { dndStatuses, meetingStatuses, userStatuses } from '../../contract/enums.ts';
import { placeCall } from '../calls/place-call.ts';
import { extensionOfNumber } from '../calls/telephone.ts';
import { extensionsChanged } from '../directory/events.ts';
import { enqueue } from '../subscriptions/enqueue.ts';
import { presenceChanged, queueModeChanged } from '../presence/events.ts';
import { remind } from '../subscriptions/remind.ts';
import { arriveFax } from '../fax/rules.ts';
import { stepMessage } from '../messages/progress.ts';
import { addMessage } from '../messages/rules.ts';
import { deliverPage } from '../pager/rules.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import { leaveVoicemail } from '../messages/voicemail.ts';
import type { World } from '../world/world.ts';
import { ControlError, issueText, controlNotFound } from './control-error.ts';
import { findExtension } from './users.ts';
import { isE164 } from '../../platform/e164.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/** An event that is simulated on request, such as an incoming call. */
interface Trigger {
  readonly input: z.ZodType;
  /** Simulates the event. The caller runs it in a transaction. */
  readonly run: (world: World, input: unknown) => object;
}

function trigger<S extends z.ZodType>(input: S, run: (world: World, input: z.infer<S>) => object): Trigger {
  return { input, run: run as Trigger['run'] };
}

/** Removes the separators of a phone number, such as +1 (415) 555-0199. */
const withoutSeparators = (text: string): string =>
  text.startsWith('+') ? text.replaceAll(/[\s().-]/g, '') : text;
const Who = z.string().min(1).transform(withoutSeparators);
/** A caller or sender: a number in E.164, a short code, or an extension. By default, a number outside the account. */
const Caller = z
  .string()
  .transform(withoutSeparators)
  .refine((text) => isE164(text) || /^\d{2,9}$/.test(text), {
    error: 'use a number in E.164 format such as +14155550199, a short code, or an extension',
  })
  .default('+14155550199');

/** Returns the extension that owns a number; the company number belongs to the operator. */
function findRecipient(world: World, to: string): ExtensionRow {
  return extensionOfNumber(world, to) ?? findExtension(world, to);
}

/** Every trigger by its name. */
const triggers: Readonly<Record<string, Trigger>> = lookupTable({
  sms: trigger(
    z.strictObject({
      /** The number or extension that receives the message. */
      to: Who,
      from: Caller,
      text: z.string().min(1).default('A text from an outside number'),
    }),
    (world, { to, from, text }) => {
      const recipient = findRecipient(world, to);
      const own = world.numbers.byNumber(to)?.phoneNumber ?? world.picks.numberOf(recipient.id) ?? to;
      const message = addMessage(world, {
        extensionId: recipient.id,
        type: 'SMS',
        direction: 'Inbound',
        messageStatus: 'Received',
        from: { phoneNumber: from },
        to: [{ phoneNumber: own, name: recipient.name }],
        subject: text,
        conversationId: world.messages.conversation(recipient.id, own, from, () => world.random.digits(19)),
      });
      return { messageId: String(message.id), extensionId: String(recipient.id) };
    },
  ),
  presence: trigger(
    z.strictObject({
      extension: Who,
      userStatus: z.enum(userStatuses).optional(),
      dndStatus: z.enum(dndStatuses).optional(),
      message: z.string().max(75).optional(),
      meetingStatus: z.enum(meetingStatuses).optional(),
    }),
    (world, { extension: who, ...changed }) => {
      const extension = findExtension(world, who);
      const before = world.presences.of(extension.id);
      const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
      world.presences.save({ ...before, ...given, sequence: before.sequence + 1 });
      presenceChanged(world, extension);
      queueModeChanged(world, extension, before);
      return { extensionId: String(extension.id), sequence: before.sequence + 1 };
    },
  ),
  call: trigger(
    z.strictObject({
      /** Number or extension to call; it may be a queue. */
      to: Who,
      from: Caller,
      fromName: z.string().optional(),
      talkSeconds: z.coerce.number().positive().max(86_400).optional(),
    }),
    (world, { to, from, fromName, talkSeconds }) => {
      const talkMilliseconds = talkSeconds === undefined ? undefined : talkSeconds * 1000;
      const sessionId = placeCall(world, { to, from, fromName, talkMilliseconds });
      return sessionId === undefined
        ? controlNotFound(`number ${to} or ${from}`, ' in the account')
        : { sessionId };
    },
  ),
  voicemail: trigger(
    z.strictObject({
      to: Who,
      from: Caller,
      fromName: z.string().optional(),
      seconds: z.coerce.number().positive().max(600).default(12),
      transcription: z.string().optional(),
    }),
    (world, { to, seconds, ...voicemail }) => {
      const extension = findRecipient(world, to);
      const message = leaveVoicemail(world, extension, { ...voicemail, durationSeconds: seconds });
      return { messageId: String(message.id), extensionId: String(extension.id) };
    },
  ),
  fax: trigger(
    z.strictObject({
      to: Who,
      from: Caller,
      text: z.string().default('A fax from outside'),
    }),
    (world, { to, from, text }) => {
      const extension = findRecipient(world, to);
      const content = new TextEncoder().encode(text);
      const document = { contentType: 'text/plain', fileName: 'fax.txt', content };
      const message = arriveFax(world, extension, { from, document });
      return { messageId: String(message.id), extensionId: String(extension.id) };
    },
  ),
  pager: trigger(
    z.strictObject({ to: Who, from: Who.default('100'), text: z.string().min(1).default('A page') }),
    (world, { to, from, text }) => {
      const sender = findExtension(world, from);
      const recipients = to.split(',').map((who) => findExtension(world, who));
      const message = deliverPage(world, { sender, recipients, text });
      return { messageId: String(message.id) };
    },
  ),
  message: trigger(z.strictObject({ id: z.coerce.number().int() }), (world, { id }) => {
    const row = world.messages.byId(id);
    if (row?.availability !== 'Alive') return controlNotFound(`message ${id}`, ' with availability Alive');
    return { messageId: String(id), messageStatus: stepMessage(world, row).messageStatus };
  }),
  line: trigger(z.strictObject({ extension: Who }), (world, { extension: who }) => {
    const { id } = findExtension(world, who);
    const { sequence } = world.presences.of(id);
    const watchers = world.subscriptions.watchers(`line:${id}`);
    for (const watcher of watchers) enqueue(world, watcher, { extension: [{ id: String(id) }], sequence });
    return { extensionId: String(id), notified: watchers.length };
  }),
  extension: trigger(
    z.strictObject({ extension: Who, hint: z.string().default('ExtensionInfo') }),
    (world, { extension: who, hint }) => {
      const extension = findExtension(world, who);
      extensionsChanged(world, extension.accountId, [extension.id], hint);
      return { extensionId: String(extension.id), hint };
    },
  ),
  reminder: trigger(z.strictObject({ subscription: z.string() }), (world, { subscription }) => {
    if (!world.subscriptions.byId(subscription)) return controlNotFound(`subscription ${subscription}`);
    remind(world, subscription);
    return { subscription };
  }),
});

/** Runs a trigger by its name. @throws {ControlError} 400 for invalid input, 404 for an unknown trigger. */
export function runTrigger(world: World, kind: string, input: unknown): object {
  const one = triggers[kind];
  if (!one) return controlNotFound(`trigger "${kind}"`, `; use ${Object.keys(triggers).join(', ')}`);
  const parsed = one.input.safeParse(input, { reportInput: true });
  if (parsed.success) return world.inTransaction(() => one.run(world, parsed.data));
  const accepted =
    one.input instanceof z.ZodObject ? `; ${kind} accepts ${Object.keys(one.input.shape).join(', ')}` : '';
  throw new ControlError(400, 'bad_input', `${issueText(parsed.error.issues[0])}${accepted}`);
}
