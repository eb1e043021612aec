import type { LiveOptions } from '../../runtime/live-options.ts';
import type { ServiceOptions } from '../../runtime/service-options.ts';

/** The options of `webhook listen`. */
export interface WebhookListenOptions extends LiveOptions, ServiceOptions {
  readonly events: readonly string[];
  readonly transport: 'webhook' | 'websocket';
  readonly host: string;
  readonly publicUrl?: string;
  readonly tunnelCommand?: string;
  readonly path?: string;
  readonly subscribe?: boolean;
  readonly sink?: string;
  readonly receiver?: string;
  readonly retain?: number;
  readonly recover?: boolean;
  readonly development?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}
