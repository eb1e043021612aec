import type { AuthEnvironment } from '../../src/auth/index.ts';
import type { HttpSend } from '../../src/client/index.ts';
import { resolveSettings, type SettingFlags } from '../../src/config/index.ts';
import type { Paths } from '../../src/runtime/context.ts';
import { temporaryPaths } from './temporary.ts';
import { ownProcess } from '../../src/platform/own-process.ts';

export interface AuthParts {
  readonly http?: HttpSend;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: SettingFlags;
  readonly paths?: Paths;
  readonly now?: () => number;
  /** The clock for durations; by default the same clock. */
  readonly elapsed?: () => number;
  readonly signal?: AbortSignal;
  readonly interactive?: () => boolean;
  readonly note?: (text: string) => void;
  /** Without a clock, no time passes. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
  readonly onWait?: AuthEnvironment['onWait'];
}

/** An environment for sign-in with separate directories. */
export async function authEnvironment(parts: AuthParts = {}): Promise<AuthEnvironment> {
  const { env = {}, flags = {}, paths = temporaryPaths(), http } = parts;
  return {
    settings: await resolveSettings({ flags, env, paths }),
    paths,
    env,
    platform: process.platform,
    http: () => (http ? Promise.resolve(http) : Promise.reject(new Error('this test has no network'))),
    now: parts.now ?? (() => Date.now()),
    elapsed: parts.elapsed ?? parts.now ?? (() => ownProcess.monotonicMilliseconds()),
    signal: parts.signal ?? new AbortController().signal,
    ...(parts.interactive && { interactive: parts.interactive }),
    note: parts.note ?? (() => undefined),
    ...(parts.sleep && { sleep: parts.sleep }),
    ...(parts.onWait && { onWait: parts.onWait }),
  };
}
