import { z } from 'zod';
import { dialects, type DialectName } from '../../contract/dialects.ts';
import { isServerAddress } from '../../platform/base-url.ts';
import { ControlError, issueText } from '../control/control-error.ts';
import type { SandboxOptions } from '../sandbox.ts';
import { clockModeSchema } from './clock-mode.ts';
import { checkSettings } from './setting-schemas.ts';

const port = z.int().min(0).max(65_535).optional();

const text = z.string().min(1).optional();
const flag = z.boolean().optional();
const callback = z.custom((value) => typeof value === 'function', 'must be a function').optional();

/** All options. An unknown name is an error, because a misspelled option would have no effect. */
const optionsSchema = z.strictObject({
  database: text,
  host: text,
  listen: flag,
  fixture: text,
  snapshot: text,
  tls: flag,
  tlsFolder: text,
  validateReplies: flag,
  requestMilliseconds: z.number().optional(),
  // The settings have their own check.
  settings: z.unknown().optional(),
  onFailure: callback,
  onWarning: callback,
  dialect: z.enum(Object.keys(dialects) as DialectName[]).optional(),
  clock: clockModeSchema.optional(),
  startTime: z.number().optional(),
  seed: z.number().optional(),
  port,
  mediaPort: port,
  rateLimits: z.enum(['realistic', 'off']).optional(),
  publicUrl: z
    .custom(
      (value) => typeof value === 'string' && isServerAddress(value),
      'must be an http or https address without a path',
    )
    .optional(),
  redirectUris: z.array(z.string()).readonly().optional(),
} satisfies Record<keyof SandboxOptions, z.ZodType>);

/** Options that need a port. */
const portOptions = ['port', 'host', 'tls', 'mediaPort'] as const;

const isSet = (value: unknown): boolean => value !== undefined && value !== false;

/**
 * Checks the options of `startSandbox` at run time, for callers in JavaScript.
 * @throws {ControlError} for an invalid value.
 */
export function checkOptions(options: SandboxOptions): void {
  const { error } = optionsSchema.safeParse(options, { reportInput: true });
  if (error) throw new ControlError(400, 'bad_input', issueText(error.issues[0]));
  const unused = options.listen === false && portOptions.find((name) => isSet(options[name]));
  if (unused) throw new ControlError(400, 'bad_input', `${unused} has no effect with listen: false`);
  if (options.publicUrl !== undefined && options.mediaPort !== undefined)
    throw new ControlError(400, 'bad_input', 'publicUrl and mediaPort cannot be combined');
  checkSettings({ ...options.settings });
}
