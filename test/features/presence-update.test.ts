import { expect, it } from 'vitest';
import { updateFor } from '../../src/features/presence/index.ts';

const present = { uri: '', extension: { uri: '', id: '1' }, presenceStatus: 'Available' };

it('queue calls cannot be turned on or off from an unknown dndStatus, which the error names', () => {
  expect(() => updateFor({ ...present, dndStatus: 'Away' }, { fields: {}, queueCalls: 'off' })).toThrow(
    'ucctl does not recognize the dndStatus "Away", so it cannot turn queue calls on or off',
  );
});
