import { posix, win32 } from 'node:path';
import type { Paths } from '../runtime/context.ts';

/** The part of `System` that determines the directories. */
export interface PathSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homeDirectory: string;
}

/**
 * Returns the directories of this user: XDG on Linux, Application Support on macOS, AppData on Windows.
 * `UCCTL_CONFIG_DIR`, `UCCTL_STATE_DIR`, `UCCTL_CACHE_DIR` and `UCCTL_DATA_DIR` take precedence.
 * @throws {NoHomeError} if one of them is not an absolute path.
 */
export function resolvePaths(system: PathSources): Paths {
  const custom = customPaths(system);
  const path = system.platform === 'win32' ? win32 : posix;
  const pick = (variable: string, fallback: string): string => {
    const override = system.env[variable];
    return override ? path.resolve(override) : fallback;
  };
  const paths = {
    config: pick('UCCTL_CONFIG_DIR', custom.config),
    state: pick('UCCTL_STATE_DIR', custom.state),
    cache: pick('UCCTL_CACHE_DIR', custom.cache),
    data: pick('UCCTL_DATA_DIR', custom.data),
  };
  // A relative folder would be below the working directory, where other users may have placed settings.
  if (!Object.values(paths).every((folder) => path.isAbsolute(folder))) throw new NoHomeError();
  return paths;
}

/** The error for an unknown home folder, for example because HOME is empty or the user has no account. It is handled as a local error. */
class NoHomeError extends Error {
  override readonly name = 'NoHomeError';
  readonly syscall = 'homedir';

  constructor() {
    super(
      'the home folder is unknown: set HOME, or set UCCTL_CONFIG_DIR, UCCTL_STATE_DIR, UCCTL_CACHE_DIR and UCCTL_DATA_DIR',
    );
  }
}

function customPaths({ env, platform, homeDirectory }: PathSources): Paths {
  if (platform === 'win32') {
    const roaming = env['APPDATA'] || win32.join(homeDirectory, 'AppData', 'Roaming');
    const local = env['LOCALAPPDATA'] || win32.join(homeDirectory, 'AppData', 'Local');
    const below = (name: string): string => win32.join(local, 'ucctl', name);
    return {
      config: win32.join(roaming, 'ucctl'),
      state: below('state'),
      cache: below('cache'),
      data: below('data'),
    };
  }
  if (platform === 'darwin') {
    const support = posix.join(homeDirectory, 'Library', 'Application Support', 'ucctl');
    return {
      config: support,
      state: posix.join(support, 'state'),
      cache: posix.join(homeDirectory, 'Library', 'Caches', 'ucctl'),
      data: posix.join(support, 'data'),
    };
  }
  const xdg = (variable: string, fallback: string): string => {
    const base = env[variable];
    // The XDG Base Directory Specification requires relative paths in these variables to be ignored.
    return posix.join(base && posix.isAbsolute(base) ? base : posix.join(homeDirectory, fallback), 'ucctl');
  };
  return {
    config: xdg('XDG_CONFIG_HOME', '.config'),
    state: xdg('XDG_STATE_HOME', '.local/state'),
    cache: xdg('XDG_CACHE_HOME', '.cache'),
    data: xdg('XDG_DATA_HOME', '.local/share'),
  };
}
