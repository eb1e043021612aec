import { ViewHeader } from '../parts/basics.tsx';
import { ClockPanel } from './service/clock.tsx';
import { FaultPanel } from './service/faults.tsx';
import { RequestPanel } from './service/requests.tsx';
import { SignInPanel } from './service/sign-in.tsx';
import { StatePanel } from './service/state.tsx';
import { SubscriptionPanel } from './service/subscriptions.tsx';

/** Features that the real service does not have: clock, faults, requests, saved states and credentials. */
export function ServiceView() {
  return (
    <>
      <ViewHeader title="Service" about="Control the sandbox: its clock, its failures and its content." />
      <div class="columns">
        <div>
          <ClockPanel />
          <FaultPanel />
          <StatePanel />
        </div>
        <div>
          <RequestPanel />
          <SubscriptionPanel />
          <SignInPanel />
        </div>
      </div>
    </>
  );
}
