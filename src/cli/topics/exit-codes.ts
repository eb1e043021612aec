export const exitCodes: readonly (readonly [string, string])[] = [
  ['0', 'done'],
  ['1', 'the service refused, or it failed'],
  ['2', 'bad usage; nothing was sent'],
  ['3', 'not found'],
  ['4', 'sign-in needed, or refused'],
  ['5', 'a permission is missing'],
  ['6', 'rate-limited'],
  ['7', 'network: no reply'],
  ['8', 'partial: some rows failed'],
  [
    '9',
    'refused: nobody could be asked for an answer that was needed, it was no, or the policy of the profile forbids it',
  ],
  ['10', 'changes present, where a command offers --detailed-exitcode'],
  ['11', 'conflict: something changed in the meantime'],
  ['12', 'this machine: configuration, keychain, database, disk'],
  ['13', 'a state that was waited for was not reached'],
  [
    '14',
    'outcome unknown: no reply, or one that does not prove it; it may have been done, look before you repeat it',
  ],
  ['70', 'a fault of ucctl itself; never because of a reply of the service'],
  [
    '130',
    'ended by Ctrl-C before it was done; what goes on until Ctrl-C (listen, tail, watch, the sandbox) ends with 0',
  ],
  ['143', 'ended by SIGTERM, likewise'],
];
