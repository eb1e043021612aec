import type { Routes } from '../request/call.ts';
import { listExtensions, readExtension } from './extension-routes.ts';
import { listForwardingNumbers, listPhoneNumbers } from './number-routes.ts';

/** Operations about extensions and their numbers. */
export const directoryRoutes = {
  listExtensions,
  readExtension,
  listPhoneNumbers,
  listForwardingNumbers,
} satisfies Routes;
