import type { Context, SearchChoice } from '../../runtime/context.ts';
import { choicesOf, maxAge, maxRead, minuteText } from './lines.ts';

/** Returns the newest events in the inbox of the profile, newest first. No request is sent. */
export async function eventChoices(ctx: Context): Promise<readonly SearchChoice[]> {
  const { EventDescriber, EventNames, openInbox, shownEvent } = await import('../../features/live/index.ts');
  const { eventSubject } = await import('../../features/live/notification/index.ts');
  const { knownExtensions } = await import('../../features/known-values/index.ts');
  const describer = new EventDescriber(new EventNames(knownExtensions(ctx)));
  const inbox = openInbox(ctx, { onlyReads: true });
  try {
    const rows = [];
    for (const stored of inbox.all(ctx.now() - maxAge)) {
      const { event, details } = describer.describe(shownEvent(stored), inbox.messages.of(stored.id));
      const id = String(stored.id);
      rows.push({
        value: id,
        cells: [id, minuteText(ctx, stored.receivedAt), eventSubject(event).name, details],
        also: [stored.key],
      });
      if (rows.length > maxRead) rows.shift();
    }
    return choicesOf(rows.toReversed());
  } finally {
    inbox.close();
  }
}
