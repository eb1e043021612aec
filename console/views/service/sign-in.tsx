import { api } from '../../api.ts';
import { words } from '../../format.ts';
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
        <div class="scroll" tabIndex={0} role="region" aria-label="Users">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Username</th>
                <th scope="col">Password</th>
                <th scope="col">Role</th>
              </tr>
            </thead>
            <tbody>
              {data.users.map((user) => (
                <tr key={user.extension}>
                  <td>
                    {user.name} <span class="ext">{user.extension}</span>
                  </td>
                  <td>{user.username}</td>
                  <td>
                    <code>{user.password}</code>
                  </td>
                  <td>{words(user.role)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
      <details>
        <summary>Apps ({data.apps.length})</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label="Apps">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Client ID</th>
                <th scope="col">Client secret</th>
                <th scope="col">Registration</th>
              </tr>
            </thead>
            <tbody>
              {data.apps.map((app) => (
                <tr key={app.clientId}>
                  <td>{app.name}</td>
                  <td>
                    <code>{app.clientId}</code>
                  </td>
                  <td>
                    <code>{app.clientSecret ?? 'none'}</code>
                  </td>
                  <td>{words(app.registration)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}
