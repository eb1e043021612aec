/**
 * The headings that name each field of a list, in groups of decreasing precedence: a list of agents may have the
 * columns `extension` and `email`, and `extension` is used. Two columns of the same group are ambiguous. Headings are
 * compared by `foldHeading`, so case, spaces, punctuation and a plural s do not matter.
 */
export const headingGroups = {
  queue: [
    ['queue', 'callqueue', 'queuenumber', 'queueextension', 'queueext'],
    ['queueid', 'departmentid'],
    ['department', 'group', 'callgroup'],
    ['queuename'],
  ],
  extension: [
    ['extension', 'extensionnumber', 'extensionno', 'ext', 'extnumber', 'extno'],
    ['agent', 'agentnumber', 'agentextension', 'agentext'],
    ['agentid', 'extensionid'],
    ['email', 'emailaddress', 'mail'],
    ['agentname', 'user', 'username', 'member', 'membername', 'employee', 'employeename', 'person'],
  ],
  // The last group is the heading of a results file, so that users can use a results file as a list.
  action: [
    ['action', 'change', 'operation', 'addremove', 'addorremove', 'addremoveaction'],
    ['todo', 'task'],
    ['resultaction'],
  ],
  to: [
    ['to', 'recipient', 'receiver'],
    ['number', 'phonenumber', 'phone', 'phoneno', 'telephone', 'telephonenumber'],
    ['mobile', 'mobilenumber', 'mobilephone', 'cell', 'cellphone', 'cellnumber'],
  ],
  uri: [['uri', 'contenturi'], ['address']],
  recording: [['recording', 'recordingid']],
  message: [['message', 'messageid']],
  id: [['id']],
} as const satisfies Readonly<Record<string, readonly (readonly string[])[]>>;

/** Compares headings: one Unicode form, lower case, only letters and digits, which removes spaces and punctuation. */
export function foldHeading(heading: string): string {
  return heading
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether a column heading is one of these folded headings, in singular or plural. */
export function isHeading(heading: string, names: readonly string[]): boolean {
  const folded = foldHeading(heading);
  return names.includes(folded) || (folded.endsWith('s') && names.includes(folded.slice(0, -1)));
}

/** Returns the index of the column that a list uses for a field, or -1 without such a column. */
export function columnFor(headings: readonly string[], field: keyof typeof headingGroups): number {
  for (const group of headingGroups[field]) {
    const index = headings.findIndex((heading) => isHeading(heading, group));
    if (index >= 0) return index;
  }
  return -1;
}
