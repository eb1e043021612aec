import type { SessionRecord } from '../../src/auth/session-record.ts';

const hour = 3_600_000;
/** When the session of these tests started, in milliseconds since 1970. */
export const signedInAt = Date.UTC(2026, 0, 5, 9);
export const sessionOrigin = 'https://platform.example.test';

/** A session that started at that time, expires after an hour and can be renewed. */
export const freshSession: SessionRecord = {
  version: 1,
  origin: sessionOrigin,
  clientId: 'k',
  clientSecret: 's',
  flow: 'code',
  accessToken: 'first',
  expiresAt: signedInAt + hour,
  refreshToken: 'r1',
  signedInAt,
  generation: 1,
};
