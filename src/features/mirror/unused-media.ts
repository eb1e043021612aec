import { counted, wasOrWere } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import type { Archive } from '../../store/archive.ts';
import { tidyMedia } from './media.ts';

/** Deletes attachments that no message uses any longer, and warns about those that remain. Must be called after a commit. */
export async function deleteUnusedMedia(
  ctx: Context,
  { messages, media }: Pick<Archive, 'messages' | 'media'>,
): Promise<void> {
  const remaining = await tidyMedia(messages, media);
  if (remaining === 0) return;
  ctx.out.warn(
    `${counted(remaining, 'attachment')} in ${media.location} ${wasOrWere(remaining)} not deleted: an earlier version of ucctl stored ${remaining === 1 ? 'it' : 'them'}, and another mailbox copy may use ${remaining === 1 ? 'it' : 'them'}`,
  );
}
