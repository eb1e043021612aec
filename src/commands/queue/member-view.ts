import type { DepartmentMember } from '../../contract/department.ts';
import type { View } from '../../runtime/output.ts';

/** An agent of a queue; what the account's extension list does not hold is undefined. */
export interface MemberRow extends DepartmentMember {
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly type: string | undefined;
  readonly status: string | undefined;
}

export const memberView: View<MemberRow> = {
  columns: [
    { key: 'id', title: 'ID', kind: 'id', value: (agent) => agent.id, priority: 1 },
    { key: 'number', title: 'NUMBER', kind: 'text', value: (agent) => agent.extensionNumber, priority: 4 },
    { key: 'name', title: 'NAME', kind: 'text', value: (agent) => agent.name, priority: 5 },
    { key: 'email', title: 'EMAIL', kind: 'text', value: (agent) => agent.email, priority: 2 },
    { key: 'status', title: 'STATUS', kind: 'status', value: (agent) => agent.status, priority: 3 },
  ],
  empty: 'No agents in this queue.',
};
