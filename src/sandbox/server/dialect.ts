import { dialects, type DialectName } from '../../contract/dialects.ts';
import type { SandboxSettings } from '../world/settings.ts';

/** Values of each dialect that differ from `spec` (docs/spec/current.md). Settings of the user take precedence. */
export const dialectSettings: Readonly<Record<DialectName, Partial<SandboxSettings>>> = {
  spec: {},
  current: {
    webhookTimeoutMilliseconds: dialects.current.webhookLimitMilliseconds,
    webhookEncryption: 'never',
    activeCallQueries: 'read',
    grants: 'current',
    ...dialects.current.limits,
  },
};
