import type { OnDelete } from '../../features/mirror/index.ts';
import type { TransportOptions } from '../../features/live/index.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';

/** What `sync` is called with. */
export interface SyncOptions extends CopyOptions, TransportOptions {
  readonly extension: readonly string[];
  readonly types: readonly ('SMS' | 'Pager' | 'Fax' | 'VoiceMail')[];
  readonly direction?: 'Inbound' | 'Outbound';
  readonly since?: string;
  readonly maxRecords?: number;
  readonly onDelete: OnDelete;
  readonly media?: boolean;
  readonly full?: boolean;
  readonly watch?: boolean;
  /** Seconds between two rounds over all mailboxes. */
  readonly sweep: number;
  readonly readyFile?: string;
}
