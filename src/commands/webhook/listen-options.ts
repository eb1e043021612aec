import { usageError } from '../../errors/command.ts';
import { rejectGiven } from '../../runtime/given-options.ts';
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

/** Rejects the options of the listener, which a WebSocket does not need. @throws {CommandError} `usage` (exit 2). */
export function checkSocketOptions(options: WebhookListenOptions): void {
  const { host, port, path, publicUrl, tunnelCommand, tlsCert, tlsKey, development, subscribe } = options;
  const ofListener = {
    '--host': host !== '127.0.0.1',
    '--port': port !== 0,
    '--path': path !== undefined,
    '--public-url': publicUrl !== undefined,
    '--tunnel-command': tunnelCommand !== undefined,
    '--tls-cert': tlsCert !== undefined,
    '--tls-key': tlsKey !== undefined,
    '--development': development ?? false,
    '--no-subscribe': subscribe === false,
  };
  rejectGiven(ofListener, (option) =>
    usageError(
      `${option} can be used only with --transport webhook`,
      `omit ${option}, or use --transport webhook`,
    ),
  );
}
