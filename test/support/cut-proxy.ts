import { connect, type Socket } from 'node:net';
import { openLink } from './store-link.ts';

/** A link to a PostgreSQL server that a test can cut. */
export interface CutProxy {
  /** The address of the store through the link. */
  readonly url: string;
  /** How often the link was cut. */
  readonly cuts: () => number;
}

/** When a link is cut. */
export interface Cut {
  /** The first statement with this text cuts the link. */
  readonly at: RegExp;
  /**
   * `before`: the server does not receive the statement. `after`: it receives the statement, but its reply is lost.
   * `data`: the link is cut at the first data that follows the statement, as in a COPY.
   */
  readonly when: 'before' | 'after' | 'data';
  /** Whether the link may be cut now; always, unless given. */
  readonly isArmed?: () => boolean;
  /** Runs when the link is cut, for example to stop the server. */
  readonly also?: () => Promise<void>;
}

/** Listens on loopback for connections without TLS, and cuts all of them once when a statement appears. */
export async function startCutProxy(url: string, cut: Cut): Promise<CutProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let cuts = 0;
  const cutAll = (): void => {
    cuts += 1;
    for (const socket of sockets) socket.destroy();
    void cut.also?.();
  };
  const link = await openLink(url, sockets, (near) => {
    const far = connect(Number(target.port), target.hostname);
    let isSilent = false;
    let isAtData = false;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
    near.on('data', (bytes) => {
      const isMatch = cuts === 0 && (cut.isArmed?.() ?? true) && cut.at.test(bytes.toString('latin1'));
      if (cuts === 0 && (isAtData || (isMatch && cut.when === 'before'))) return cutAll();
      if (isMatch && cut.when === 'data') isAtData = true;
      if (isMatch && cut.when === 'after') isSilent = true;
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      // The reply proves that the server has executed the statement.
      if (isSilent && cuts === 0) return cutAll();
      near.write(bytes);
    });
  });
  return { url: link, cuts: () => cuts };
}
