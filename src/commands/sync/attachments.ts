import { fetchAttachmentOf } from '../../features/download/index.ts';
import {
  copyMedia,
  deleteUnusedMedia,
  dropDamagedMedia,
  isPlaceFailure,
  MediaFileError,
  type MediaReport,
} from '../../features/mirror/index.ts';
import type { Mailbox } from '../../store/mailbox.ts';
import { counted } from '../../platform/counted.ts';
import type { CopyRun, PlaceState } from './copy-run.ts';

const nothing: MediaReport = { copied: 0, failed: 0 };

/**
 * Copies the missing attachments of a mailbox, and with `--full` also the damaged ones. Writes a warning about
 * attachments that could not be copied. @returns undefined without `--media`.
 */
export async function copyAttachments(
  { ctx, signal, api, archive: { messages, media }, options, place }: CopyRun,
  { extensionId }: Mailbox,
  label: string,
): Promise<MediaReport | undefined> {
  if (!options.media) return undefined;
  const copy = async (): Promise<MediaReport> => {
    const fetchMedia = fetchAttachmentOf(api, ctx, { signal });
    if (!options.full) return copyMedia(messages, media, extensionId, fetchMedia);
    const { lost, ...damaged } = await dropDamagedMedia(messages, media, extensionId);
    if (lost > 0) ctx.out.warn(lostText(lost, { label, location: media.location }));
    const copied = await copyMedia(messages, media, extensionId, fetchMedia);
    return { ...copied, ...damaged, failed: copied.failed + damaged.failed };
  };
  const report = await usingPlace(place, async () => {
    const copied = await messages.copyingMedia(extensionId, copy);
    if (!copied)
      ctx.out.note(`another process is copying the attachments of mailbox ${label}; this run skips them`);
    return copied;
  });
  if (report?.placeFailure) place.failure ??= report.placeFailure;
  else if (report && report.failed > 0)
    ctx.out.warn(
      `could not copy ${counted(report.failed, 'attachment')} of mailbox ${label}: ${report.problem}`,
    );
  return report ?? nothing;
}

/** Deletes attachments that no message uses any longer. Must be called after a commit. */
export async function deleteUnused({ ctx, archive, place }: CopyRun): Promise<void> {
  await usingPlace(place, async () => {
    try {
      await deleteUnusedMedia(ctx, archive);
    } catch (error) {
      if (!(error instanceof MediaFileError)) throw error;
      place.fileFailure ??= error;
    }
  });
}

/** Runs work that uses the place. Records an error of the place, after which the place is not used again in this run. */
async function usingPlace<T>(place: PlaceState, work: () => Promise<T>): Promise<T | undefined> {
  if (place.failure) return undefined;
  try {
    return await work();
  } catch (error) {
    if (!isPlaceFailure(error)) throw error;
    place.failure ??= error;
    return undefined;
  }
}

function lostText(
  lost: number,
  { label, location }: { readonly label: string; readonly location: string },
): string {
  const are = lost === 1 ? 'is' : 'are';
  return `${counted(lost, 'attachment')} of mailbox ${label} ${are} missing, damaged or unreadable in ${location}, and cannot be copied again, because the service no longer has the messages`;
}
