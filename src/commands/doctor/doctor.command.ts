import { defineCommand } from '../../runtime/define.ts';
import type { DoctorOptions } from './doctor.ts';

export const doctorCommand = defineCommand<DoctorOptions>({
  path: ['doctor'],
  summary: 'Check everything that commands depend on, and say what to do',
  description:
    "Settings, proxy, address, clock and certificate of the service, keychain, session, the session's permissions against those of every command, a webhook " +
    'handshake to this machine, and the local databases. Each line is ok, warn or fail. Nothing is changed at the service; a session whose token is ' +
    'old is renewed, as any command would.',
  options: {
    publicUrl: {
      type: 'string',
      value: 'URL',
      summary: 'Send the webhook handshake through this public address, which leads to --port',
    },
    port: {
      type: 'integer',
      min: 1,
      max: 65_535,
      value: 'PORT',
      summary: 'Port that the handshake is awaited at; any free one by default',
    },
  },
  examples: [
    { comment: 'What is wrong?', command: 'ucctl doctor' },
    {
      comment: 'Does the tunnel work?',
      command: 'ucctl doctor --public-url https://hooks.example.com --port 8080',
    },
    { comment: 'In a monitor', command: 'ucctl doctor -o json' },
  ],
  rateGroup: 'Light',
  jsonFields: ['check', 'result', 'found', 'todo'],
  exitCodes: { 1: 'a check failed' },
  load: async () => (await import('./doctor.ts')).doctor,
});
