import { api, type App, type User } from '../../api.ts';
import { words } from '../../format.ts';
import { Table, type TableColumn } from '../../parts/table.tsx';
import { useQuery } from '../../query.ts';

/** The credentials of the sandbox, which are not secret. */
export function SignInPanel() {
  const { data } = useQuery('credentials', ['service'], api.status);
  if (!data) return null;
  return (
    <section class="panel" aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">Sign-in</h2>
      <dl class="facts">
        <div>
          <dt>Server</dt>
          <dd>{data.url}</dd>
        </div>
        <div>
          <dt>Dialect</dt>
          <dd>{data.dialect}</dd>
        </div>
      </dl>
      <details>
        <summary>Users ({data.users.length})</summary>
        <Table label="Users" columns={userColumns} rows={data.users} keyOf={({ extension }) => extension} />
      </details>
      <details>
        <summary>Apps ({data.apps.length})</summary>
        <Table label="Apps" columns={appColumns} rows={data.apps} keyOf={({ clientId }) => clientId} />
      </details>
    </section>
  );
}

const userColumns: readonly TableColumn<User>[] = [
  {
    head: 'Name',
    cell: ({ name, extension }) => (
      <>
        {name} <span class="ext">{extension}</span>
      </>
    ),
  },
  { head: 'Username', cell: ({ username }) => username },
  { head: 'Password', cell: ({ password }) => <code>{password}</code> },
  { head: 'Role', cell: ({ role }) => words(role) },
];

const appColumns: readonly TableColumn<App>[] = [
  { head: 'Name', cell: ({ name }) => name },
  { head: 'Client ID', cell: ({ clientId }) => <code>{clientId}</code> },
  { head: 'Client secret', cell: ({ clientSecret }) => <code>{clientSecret ?? 'none'}</code> },
  { head: 'Registration', cell: ({ registration }) => words(registration) },
];
