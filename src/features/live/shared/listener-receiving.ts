import type { EventTransport } from '../subscription/transport.ts';
import { own } from './owner.ts';
import type { JoinedReceiver } from './receiver-table.ts';
import type { SharedReceiving } from './receiving.ts';

/** Receives events in all processes, through a listener. */
export function listenerReceiving(transport: EventTransport, joined: JoinedReceiver): SharedReceiving {
  return {
    origin: transport.origin,
    get url() {
      return transport.url;
    },
    address: joined.address,
    isExclusive: false,
    open: (intake, onFailure) => transport.open(intake, onFailure),
    own: (settings, fence, turn) =>
      own(
        {
          ...settings,
          request: {
            eventFilters: [...settings.eventFilters],
            deliveryMode: transport.deliveryMode(false, joined.token),
          },
        },
        fence,
        turn,
      ),
    close: (drainMilliseconds) => transport.close(drainMilliseconds),
  };
}
