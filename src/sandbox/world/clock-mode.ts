import { z } from 'zod';
import type { ClockMode } from './clock.ts';

/** The modes of the clock, such as `60x`. */
export const clockModeSchema = z.custom<ClockMode>(
  (mode) =>
    mode === 'real' ||
    mode === 'frozen' ||
    (typeof mode === 'string' && /^\d{1,9}(\.\d+)?x$/.test(mode) && !/^[0.]+x$/.test(mode)),
  'must be real, frozen, or a speed above 0 such as 60x',
);
