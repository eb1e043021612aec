import type { ChangePreview, CommandResult } from '../../src/commands/console/types.ts';
import { bump } from '../changes.ts';
import { api } from './api.ts';

/** Makes a change, and reads the queues again: a change that failed may have been made in part. */
export async function makeChange({ id }: ChangePreview): Promise<CommandResult> {
  try {
    return await api.change(id);
  } finally {
    bump(['queues', 'service']);
  }
}
