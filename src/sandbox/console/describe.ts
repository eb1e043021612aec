import { z } from 'zod';

const Party = z.object({ phoneNumber: z.string().optional(), name: z.string().optional() });
const Changes = z.object({
  changes: z.array(z.object({ type: z.string(), newCount: z.number(), updatedCount: z.number() })).min(1),
});
const Message = z.object({ from: Party, type: z.string(), subject: z.string().optional() });
const Presence = z.object({
  presenceStatus: z.string(),
  telephonyStatus: z.string().optional(),
  dndStatus: z.string().optional(),
});
const Dnd = z.object({ dndStatus: z.string() });

/** Describes the content of a notification as text. For a body of an unknown kind, the text lists its members. */
export function describeBody(body: object): string {
  const changes = Changes.safeParse(body).data?.changes;
  if (changes) return changes.map(changeText).join(', ');
  const message = Message.safeParse(body).data;
  if (message) return messageText(message);
  const presence = Presence.safeParse(body).data;
  if (presence) return presenceText(presence);
  const dnd = Dnd.safeParse(body).data;
  if (dnd) return words(dnd.dndStatus);
  return Object.keys(body).map(words).join(', ');
}

function changeText({ type, newCount, updatedCount }: z.infer<typeof Changes>['changes'][number]): string {
  return [newCount > 0 ? `${newCount} new` : '', updatedCount > 0 ? `${updatedCount} changed` : '']
    .filter(Boolean)
    .map((count) => `${count} ${type}`)
    .join(', ');
}

function messageText({ from, type, subject }: z.infer<typeof Message>): string {
  const sender = from.name ?? from.phoneNumber ?? 'unknown sender';
  return `${type} from ${sender}${subject === undefined ? '' : `: ${subject}`}`;
}

function presenceText({ presenceStatus, telephonyStatus, dndStatus }: z.infer<typeof Presence>): string {
  const phone = telephonyStatus === undefined || telephonyStatus === 'NoCall' ? [] : [words(telephonyStatus)];
  const dnd = dndStatus === undefined || dndStatus === 'TakeAllCalls' ? [] : [words(dndStatus)];
  return [presenceStatus, ...phone, ...dnd].join(' · ');
}

/** Returns a name of the interface as words: `CallConnected` becomes `Call connected`. */
function words(name: string): string {
  const text = name.replaceAll(/([a-z])([A-Z])/g, (_all, end: string, start: string) => `${end} ${start}`);
  return text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();
}
