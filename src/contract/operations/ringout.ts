import { CompleteRingOut, RingOutRequest, SpecRingOutRequest } from '../ringout.ts';
import type { Operation } from './operation.ts';
import { extension } from './paths.ts';

/** Two-legged calls. */
export const ringOut = {
  startRingOut: {
    method: 'POST',
    path: `${extension}/ringout`,
    aliases: [`${extension}/ring-out`],
    current: { path: `${extension}/ring-out`, body: RingOutRequest },
    section: 'Two-legged outbound call',
    summary: 'Calls the user, then connects to the called number',
    authorization: 'bearer',
    permission: 'RingOut',
    group: 'Heavy',
    body: SpecRingOutRequest,
    status: 200,
    reply: CompleteRingOut,
  },
  readRingOut: {
    method: 'GET',
    path: `${extension}/ringout/{ringoutId}`,
    aliases: [`${extension}/ring-out/{ringoutId}`],
    current: { path: `${extension}/ring-out/{ringoutId}` },
    section: 'Two-legged outbound call',
    summary: 'Reads the status of a two-legged call',
    authorization: 'bearer',
    permission: 'RingOut',
    group: 'Light',
    status: 200,
    reply: CompleteRingOut,
  },
  cancelRingOut: {
    method: 'DELETE',
    path: `${extension}/ringout/{ringoutId}`,
    aliases: [`${extension}/ring-out/{ringoutId}`],
    current: { path: `${extension}/ring-out/{ringoutId}` },
    section: 'Two-legged outbound call',
    summary: 'Cancels a two-legged call that the callee has not answered',
    authorization: 'bearer',
    permission: 'RingOut',
    group: 'Heavy',
    status: 204,
  },
} as const satisfies Record<string, Operation>;
