import { describe, expect, test } from 'vitest';
import { resolvePaths } from '../../src/config/index.ts';

describe('resolvePaths', () => {
  test('follows the XDG directories on Linux, ignoring relative ones', () => {
    const env = { XDG_CONFIG_HOME: '/xdg/config', XDG_STATE_HOME: 'relative' };
    expect(resolvePaths({ env, platform: 'linux', homeDirectory: '/home/a' })).toEqual({
      config: '/xdg/config/ucctl',
      state: '/home/a/.local/state/ucctl',
      cache: '/home/a/.cache/ucctl',
      data: '/home/a/.local/share/ucctl',
    });
  });

  test('uses Application Support and Caches on macOS', () => {
    const paths = resolvePaths({ env: {}, platform: 'darwin', homeDirectory: '/Users/a' });
    expect(paths.config).toBe('/Users/a/Library/Application Support/ucctl');
    expect(paths.cache).toBe('/Users/a/Library/Caches/ucctl');
  });

  test('uses AppData on Windows', () => {
    const env = { APPDATA: 'C:\\Users\\a\\AppData\\Roaming', LOCALAPPDATA: 'C:\\Users\\a\\AppData\\Local' };
    const paths = resolvePaths({ env, platform: 'win32', homeDirectory: 'C:\\Users\\a' });
    expect(paths.config).toBe('C:\\Users\\a\\AppData\\Roaming\\ucctl');
    expect(paths.state).toBe('C:\\Users\\a\\AppData\\Local\\ucctl\\state');
  });

  test.each(['', 'home/a', '.'])('uses no path below the current folder: HOME=%j', (homeDirectory) => {
    const env = { UCCTL_CONFIG_DIR: '/c', UCCTL_STATE_DIR: '/s', UCCTL_CACHE_DIR: '/k' };
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      expect(() => resolvePaths({ env: {}, platform, homeDirectory })).toThrow(
        /^the home folder .* set HOME, or /,
      );
      expect(() => resolvePaths({ env, platform, homeDirectory })).toThrow('UCCTL_DATA_DIR');
    }
    const all = { ...env, UCCTL_DATA_DIR: '/d' };
    expect(resolvePaths({ env: all, platform: 'linux', homeDirectory }).data).toBe('/d');
  });

  test('prefers UCCTL_*_DIR over the default of the platform', () => {
    const env = {
      UCCTL_CONFIG_DIR: '/c',
      UCCTL_STATE_DIR: '/s',
      UCCTL_CACHE_DIR: '/k',
      UCCTL_DATA_DIR: '/d',
      XDG_CONFIG_HOME: '/xdg',
    };
    expect(resolvePaths({ env, platform: 'linux', homeDirectory: '/home/a' })).toEqual({
      config: '/c',
      state: '/s',
      cache: '/k',
      data: '/d',
    });
  });
});
