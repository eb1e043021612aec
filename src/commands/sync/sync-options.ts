import type { OnDelete } from '../../store/reply.ts';
import type { TransportOptions } from '../../features/live/index.ts';
import type { DryRunOption } from '../../runtime/dry-run-option.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';

/** Options of `sync`. */
export interface SyncOptions extends CopyOptions, TransportOptions, DryRunOption {
  readonly extension: readonly string[];
  readonly type: readonly ('SMS' | 'Pager' | 'Fax' | 'VoiceMail')[];
  readonly direction?: 'Inbound' | 'Outbound';
  readonly since?: string;
  readonly maxRecords?: number;
  /** Undefined: the policy that the copy has. */
  readonly onDelete?: OnDelete;
  readonly media?: boolean;
  /** Maximum number of mailboxes that are copied at the same time. */
  readonly concurrency?: number;
  readonly full?: boolean;
  readonly watch?: boolean;
  /** Seconds between two syncs of all mailboxes. */
  readonly sweep: number;
  readonly readyFile?: string;
}
