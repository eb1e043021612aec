import { z } from 'zod';

/** Query of a download, which selects the Content-Disposition of the reply (MEDIA-7). */
export const MediaQuery = z.object({
  contentDisposition: z.enum(['Inline', 'Attachment']).optional(),
  contentDispositionFilename: z.string().max(255).optional(),
});
export type MediaQuery = z.infer<typeof MediaQuery>;
